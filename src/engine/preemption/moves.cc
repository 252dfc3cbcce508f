#include "engine/preemption/moves.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "engine/cycle/reserve.h"
#include "engine/preemption/node_costs.h"

namespace ym::engine {
namespace {

constexpr int kMostTries = 16;

// Whether a stopped job of the queue restarts wherever there is room: nothing else holds it back.
bool may_begin_again(const Inputs& in, QueueIndex queue) {
  const Queue* rules = in.rules[queue];
  return rules && !rules->strict && in.state.stops.held_by(queue) == kNone && !in.state.budgets.any(queue);
}

IndexedVector<CandidateIndex, Candidate> movable_jobs(const Inputs& in, const Claimant& claimant,
                                                      PreemptibleJobs& running) {
  IndexedVector<CandidateIndex, Candidate> movers;
  for (Running& one : running.all)
    if (!one.gone && one.spared <= in.now && may_stop_again(claimant.job.arrived_at, one.stopped_at) &&
        one.row->priority <= claimant.job.priority && !one.row->counts_preemptions &&
        may_begin_again(in, one.place->queue) && !is_fenced_off(claimant, one.place->queue))
      movers.push_back({.running = &one, .own = is_own(claimant, *one.place), .borrows = true});
  return movers;
}

class MoveSearch {
 public:
  MoveSearch(Cycle& cycle, Rank rank, FlavorIndex flavor, PreemptibleJobs& running)
      : cycle_(cycle),
        rank_(rank),
        claimant_(claimant_of(cycle.in, cycle.pending, rank, flavor)),
        room_(cycle, rank, claimant_),
        movers_(movable_jobs(cycle.in, claimant_, running)) {}

  std::optional<Moves> find() {
    std::optional<Moves> best;
    if (movers_.empty()) return best;
    for (const Pool& pool : cycle_.in.state.inventory.pools(claimant_.flavors.only(), claimant_.shape.levels)) {
      auto found = find_in(pool);
      if (found && (!best || found->lost_gpu_ms < best->lost_gpu_ms)) best = std::move(found);
    }
    return best;
  }

 private:
  std::optional<Moves> find_in(const Pool& pool) {
    const Clearings all = cheapest_to_clear(room_, pool, movers_);
    const auto& clearings = all.cheapest_first;
    if (auto found = clear_cheapest(clearings)) return found;
    // Jobs that are cheap to stop may be ones that have just moved, to where all is full now. Fewer GPUs have more
    // places to go to: so try the nodes with the fewest GPUs to move first.
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < clearings.size(); ++i) order.emplace_back(gpus_moved(clearings[i]), i);
    std::ranges::sort(order);
    std::vector<Clearing> by_gpus;
    for (const auto& [gpus, i] : order) by_gpus.push_back(clearings[i]);
    return clear_cheapest(by_gpus);
  }

  std::int64_t gpus_moved(const Clearing& clearing) const {
    std::int64_t gpus = 0;
    for (const CandidateIndex mover : clearing.leaving)
      gpus += movers_[mover].running->place->total()[ResourceKind::gpus];
    return gpus;
  }

  std::optional<Moves> clear_cheapest(const std::vector<Clearing>& clearings) {
    homeless_.clear();
    for (int tries = 0; tries < kMostTries; ++tries) {
      const auto leaving = cheapest_leaving(clearings);
      if (!leaving) return std::nullopt;
      const std::size_t stranded = homeless_.size();
      if (auto found = prove(*leaving)) return found;
      if (homeless_.size() == stranded) return std::nullopt;
    }
    return std::nullopt;
  }

  // The cheapest nodes, as many as the gang needs, from which each job may have a place to go to.
  std::optional<std::set<CandidateIndex>> cheapest_leaving(const std::vector<Clearing>& clearings) const {
    std::set<CandidateIndex> leaving;
    std::size_t cleared = 0;
    for (const Clearing& one : clearings) {
      if (cleared == claimant_.shape.need().nodes) break;
      if (std::ranges::any_of(one.leaving, [&](CandidateIndex mover) { return homeless_.contains(mover); })) continue;
      leaving.insert(one.leaving.begin(), one.leaving.end());
      ++cleared;
    }
    if (cleared < claimant_.shape.need().nodes || leaving.empty()) return std::nullopt;
    return leaving;
  }

  // Records the job that finds no place.
  std::optional<Moves> prove(const std::set<CandidateIndex>& leaving) {
    Moves moves;
    for (const CandidateIndex mover : leaving) moves.movers.push_back(movers_[mover].running);
    const auto mark = cycle_.tried.trial.mark();
    for (const Running* mover : moves.movers) cycle_.tried.trial.depart(mover->job);
    auto choice = room_.place();
    bool proven = choice.has_value();
    if (proven) {
      moves.choice = std::move(*choice);
      cycle_.tried.trial.nominate({.place = cycle_.grant(rank_, claimant_.flavors, moves.choice), .expected = true});
      proven = find_homes(leaving, moves);
    }
    cycle_.tried.trial.roll_back(mark);
    if (!proven) return std::nullopt;
    std::ranges::sort(moves.movers, {}, [](const Running* mover) { return mover->job; });
    for (const Running* mover : moves.movers) moves.lost_gpu_ms += mover->loss.gpu_ms;
    return moves;
  }

  // The largest job first.
  bool find_homes(const std::set<CandidateIndex>& leaving, Moves& moves) {
    std::vector<CandidateIndex> order(leaving.begin(), leaving.end());
    std::ranges::sort(order, {}, [&](CandidateIndex mover) {
      const Running& one = *movers_[mover].running;
      const ResourceVector total = one.place->total();
      return std::tuple(-total[ResourceKind::gpus], -total[ResourceKind::cpus], -total[ResourceKind::memory], one.job);
    });
    for (const CandidateIndex mover : order) {
      auto new_place = new_place_of(*movers_[mover].running);
      if (!new_place) {
        homeless_.insert(mover);
        return false;
      }
      cycle_.tried.trial.nominate({.place = *new_place, .expected = true});
      moves.new_places.push_back(std::move(*new_place));
    }
    return true;
  }

  // As if the job were submitted now, with its current size.
  std::optional<Grant> new_place_of(const Running& mover) const {
    const JobRow& job = *mover.row;
    const Footprint& place = *mover.place;
    const Shape sized = cycle_.in.state.shape_of(job).sized(static_cast<std::int32_t>(place.tasks.size()));
    const Walltime walltime = walltime_again(cycle_.in, cycle_.tried, job, place.queue, cycle_.known.longest_stop);
    auto choice = choose(cycle_.in.state.inventory, cycle_.in.scorer, place.flavors, sized.need(),
                         cycle_.tried.access(cycle_.in, cycle_.known, walltime), When::later);
    if (!choice) return std::nullopt;
    return grant_to(cycle_.in.state.jobs.slot(mover.job), place.flavors, std::move(*choice));
  }

  Cycle& cycle_;
  Rank rank_;
  Claimant claimant_;
  Room room_;
  IndexedVector<CandidateIndex, Candidate> movers_;
  std::set<CandidateIndex> homeless_;
};

}  // namespace

std::optional<Moves> find_moves(Cycle& cycle, Rank rank, FlavorIndex flavor, PreemptibleJobs& running) {
  return MoveSearch(cycle, rank, flavor, running).find();
}

}  // namespace ym::engine
