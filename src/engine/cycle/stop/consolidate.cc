// Which jobs are moved to open a place for a gang that has quota, and for which enough devices are free, but not
// together.
//
// A move is a stop. It costs the work since the last save, and the time to start again. The gang saves the wait until
// its reservation begins, or, without a reservation, as long again as it has waited. Only a small part of that is saved
// in the end: jobs end before their limits, and other jobs would have used the GPUs. So a move is made where it saves
// many times its cost (docs/design/0013), and is advice where it saves less. The jobs that move wait again at their old
// places in the order. That there is room for them is proven, but that room is not reserved.
#include <algorithm>
#include <map>
#include <optional>

#include "engine/cycle/cycle.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/make_room.h"
#include "engine/preemption/moves.h"

namespace ym::engine {
namespace {

// Limits of one cycle: gangs for which moves are sought, and gangs for which moves are made.
constexpr std::size_t kMostLookedAt = 16, kMostHelpedByMoves = 8;

// A move is made if it saves at least this many times the GPU time that it costs.
constexpr std::int64_t kLeastReturn = 20;

class Consolidator {
 public:
  explicit Consolidator(Cycle& cycle)
      : cycle_(cycle), running_(cycle.in, cycle.pending, cycle.tried, PreemptibleJobs::Include::running) {
    for (const Booking& booking : cycle.tried.reservations.all())
      reserved_from_.emplace(booking.holder.id,
                             cycle.tried.reservations.calendar().instant_of(booking.from) + booking.stops);
  }

  // In the order of the cycle. A job that gets no moves keeps what it kept.
  void run() {
    forget_keepers(cycle_.in, cycle_.tried, cycle_.known);
    cycle_.known.longest_stop = longest_stop(cycle_.in);
    mark_overdue(cycle_.in, cycle_.tried);
    for (Rank rank{0}; rank < cycle_.pending.considered; ++rank)
      if (cycle_.is_open(rank) && !is_barred(cycle_, rank)) look_at(rank);
    cycle_.tried.trial.release_expected();
    place_all(cycle_);
    forget_expected(cycle_.tried, cycle_.known);
  }

 private:
  void look_at(Rank rank) {
    if (some_jobs_leave(cycle_.in, cycle_.tried) && expects_room(cycle_, rank))
      return block_jobs_behind(cycle_.in, cycle_.pending, cycle_.tried, rank);
    // The next cycle goes on. Not for advice: that would be the same again.
    if (moved_ == kMostHelpedByMoves) cycle_.out.wake_at(cycle_.in.now);
    const bool is_worth_looking = looked_at_ < kMostLookedAt && helped() < kMostHelpedByMoves && asks_for_gpus(rank);
    if (!is_worth_looking || !open_place(rank)) refuse(cycle_, rank);
  }

  bool makes_moves() const { return cycle_.in.policy.consolidation == Consolidation::on; }
  std::size_t helped() const { return makes_moves() ? moved_ : cycle_.out.plan.advice.size(); }

  bool asks_for_gpus(Rank rank) const { return cycle_.shape(rank).total()[ResourceKind::gpus] > 0; }

  // The wait that the gang saves.
  Duration saved(Rank rank) const {
    const auto reserved = reserved_from_.find(cycle_.job(rank).id);
    return reserved == reserved_from_.end() ? cycle_.in.now - cycle_.job(rank).waits_since
                                            : reserved->second - cycle_.in.now;
  }

  // Counts all nodes together, as moves free nothing in sum.
  bool has_enough_free(const Shape& shape, FlavorIndex flavor) const {
    const Inventory& inventory = cycle_.in.state.inventory;
    std::int64_t free = 0;
    for (const Pool& pool : inventory.pools(flavor))
      for (const NodeIndex node : pool.nodes)
        if (inventory.in_service(node)) free += inventory.free_gpus(node, shape.task, When::later);
    return free >= shape.total()[ResourceKind::gpus];
  }

  // Whether other jobs are moved for it.
  bool open_place(Rank rank) {
    ++looked_at_;
    std::optional<MoveAdvice> advice;
    const Shape& shape = cycle_.shape(rank);
    const __int128 gain = static_cast<__int128>(shape.total()[ResourceKind::gpus]) * saved(rank).ms / kMilli;
    for (const Option& option : cycle_.shape_cache(rank).options) {
      // For a mix, places for all parts would have to be opened side by side. That is not tried.
      if (option.flavors.is_mix()) continue;
      const FlavorIndex flavor = option.flavors.only();
      if (!only_waits(cycle_.in, shape, option) || budget_hit(cycle_.in, cycle_.pending, rank, flavor)) continue;
      // A job that moves keeps its quota.
      if (cycle_.tried.quota_stops(
              cycle_.in, shape, flavor,
              walltime_of(cycle_.in, cycle_.pending, cycle_.tried, rank, cycle_.known.longest_stop), When::later))
        continue;
      if (!has_enough_free(shape, flavor)) continue;
      auto moves = find_moves(cycle_, rank, flavor, running_);
      if (!moves || moves->lost_gpu_ms >= gain) continue;
      if (is_made(*moves, gain)) return move(rank, flavor, std::move(*moves));
      if (!advice) advice = advice_of(rank, *moves);
    }
    if (advice && cycle_.in.policy.verdicts && cycle_.out.plan.advice.size() < kMostHelpedByMoves)
      cycle_.out.plan.advice.push_back(std::move(*advice));
    return false;
  }

  bool is_made(const Moves& moves, __int128 gain) const {
    return makes_moves() && static_cast<__int128>(moves.lost_gpu_ms) * kLeastReturn <= gain;
  }

  bool move(Rank rank, FlavorIndex flavor, Moves moves) {
    ++moved_;
    make_room(cycle_, rank, flavor,
              {.preempted_jobs = moves.movers,
               .choice = std::move(moves.choice),
               .going_on = {},
               .cause = Preemption::Cause::consolidation});
    // So that no other job counts on the same room.
    for (Grant& new_place : moves.new_places)
      cycle_.tried.trial.nominate({.place = std::move(new_place), .expected = true});
    return true;
  }

  MoveAdvice advice_of(Rank rank, const Moves& moves) const {
    MoveAdvice advice{.job = cycle_.job(rank).id, .moves = {}, .saves = saved(rank)};
    for (const Running* mover : moves.movers)
      advice.moves.push_back({.job = mover->job, .attempt = mover->attempt, .lost_gpu_ms = mover->loss.gpu_ms});
    return advice;
  }

  Cycle& cycle_;
  PreemptibleJobs running_;
  std::map<JobId, Instant> reserved_from_;
  std::size_t looked_at_ = 0, moved_ = 0;
};

}  // namespace

void consolidate(Cycle& cycle) {
  const Policy& policy = cycle.in.policy;
  if (policy.consolidation == Consolidation::off || !policy.preempt_phase || !policy.place_phase) return;
  // Without verdicts nothing reads advice.
  if (policy.consolidation == Consolidation::advice && !policy.verdicts) return;
  if (cycle.in.state.live.empty()) return;
  if (!cycle.pending.some_are_open()) return;
  Consolidator(cycle).run();
}

}  // namespace ym::engine
