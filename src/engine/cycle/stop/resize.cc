// Running elastic jobs get more nodes where these are idle.
//
// A resize is a stop and a new start, on every executor and with every launcher; torchrun's own resize would restart
// all workers as well. So it is done only where it gains more than it costs:
//   idle:   no job waits for machines of the flavor, and no reservation is affected;
//   saved:  the attempt has reported a durable checkpoint, so no job starts from the beginning just to be larger;
//   worth:  the work of the additional nodes, until the expected end or for as long as the job has run, is more than
//   the
//           work that is repeated;
//   seldom: an attempt keeps its size for the policy's interval. What protects a job from preemption protects it here.
#include <algorithm>
#include <set>

#include "engine/cycle/cycle.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/make_room.h"
#include "engine/cycle/stop/size.h"
#include "engine/objections.h"
#include "engine/preemption/preemptible_jobs.h"
#include "engine/state/run_times.h"

namespace ym::engine {
namespace {

// Resizes of one cycle; the next one goes on.
constexpr std::size_t kMostResized = 8;

class Resizer {
 public:
  explicit Resizer(Cycle& cycle) : cycle_(cycle) {}

  void run() {
    const auto growing = growable_jobs();
    if (growing.empty()) return;
    mark_overdue(cycle_.in, cycle_.tried);
    for (const Running& one : growing) {
      if (resized_ < kMostResized) grow(one);
      else cycle_.out.wake_at(cycle_.in.now);
    }
    cycle_.tried.trial.release_expected();
  }

 private:
  // The most urgent first, then by submit time.
  std::vector<Running> growable_jobs() {
    std::vector<Running> found;
    std::optional<Losses> losses;
    for (const JobId job : cycle_.in.state.growable) {
      if (!may_grow(*cycle_.in.state.jobs.find(job), *cycle_.in.state.live.find(job))) continue;
      if (!losses) losses.emplace(cycle_.in.state, cycle_.in.policy.restart_cost, cycle_.in.now);
      Running one = running_of(cycle_.in, *losses, job);
      const Instant spared = std::max(one.spared, one.spared_from_reclaim);
      if (spared <= cycle_.in.now) found.push_back(one);
      else if (spared != Running::kNever) cycle_.out.wake_at(spared);
    }
    std::ranges::sort(
        found, {}, [](const Running& one) { return std::tuple(-one.row->priority, one.row->submitted_at, one.job); });
    return found;
  }

  bool may_grow(const JobRow& job, const LiveAttempt& live) {
    if (!can_be_stopped(job, live) || job.counts_preemptions || !live.started_at) return false;
    const auto& rows = cycle_.in.state.inventory.rows;
    if (!std::ranges::all_of(live.tasks, [&](const LiveTask& task) { return rows[task.node].has_value(); }))
      return false;
    const Instant from = after(*live.started_at, cycle_.in.policy.resize_interval);
    if (from > cycle_.in.now) cycle_.out.wake_at(from);
    return from <= cycle_.in.now && !wanted(live.flavors.last());
  }

  // Whether a waiting job wants machines of the flavor: it has a reservation, or has quota and may start.
  bool wanted(FlavorIndex flavor) {
    if (!wanted_) find_wanted();
    return wanted_->contains(flavor);
  }

  void find_wanted() {
    wanted_.emplace();
    for (const Booking& booking : cycle_.tried.reservations.all())
      wanted_->insert(booking.flavors.each().begin(), booking.flavors.each().end());
    IndexedVector<ShapeIndex, bool> seen(cycle_.known.shape_caches.size());
    for (Rank rank{0}; rank < cycle_.pending.considered; ++rank) {
      if (!cycle_.is_open(rank) || seen[cycle_.entry(rank).shape] || is_barred(cycle_, rank)) continue;
      seen[cycle_.entry(rank).shape] = true;
      for (const Option& option : cycle_.shape_cache(rank).options)
        if (only_waits(cycle_.in, cycle_.shape(rank), option) &&
            !cycle_.tried.quota_stops(cycle_.in, cycle_.shape(rank), option.flavors, kFleeting, When::later))
          wanted_->insert(option.flavors.each().begin(), option.flavors.each().end());
    }
  }

  void grow(const Running& one) {
    const LiveAttempt& live = *cycle_.in.state.live.find(one.job);
    const Slot slot = cycle_.in.state.jobs.slot(one.job);
    auto larger = choose_larger(cycle_.in, cycle_.tried, slot, live, walltime_after(one, live));
    if (!larger) return;
    const auto durable = cycle_.in.state.history.durable_at(one.job, live.number);
    if (!durable || !is_worth_it(one, live, larger->devices.size() - live.tasks.size()))
      return cycle_.out.wake_at(after(cycle_.in.now, cycle_.in.policy.resize_interval));
    decide(one, live, grant_to(slot, live.flavors, std::move(*larger)));
  }

  Duration stop_time(const Running& one) const { return one.row->grace + cycle_.in.policy.hold_margin; }

  Walltime walltime_after(const Running& one, const LiveAttempt& live) const {
    return walltime_again(cycle_.in, cycle_.tried, *one.row, live.queue, stop_time(one));
  }

  bool is_worth_it(const Running& one, const LiveAttempt& live, std::size_t more) const {
    const auto end = expected_end(*one.row, live, Pace::usual, cycle_.in.now);
    const Duration left = end ? *end - cycle_.in.now : cycle_.in.now - *live.started_at;
    const bool has_gpus = live.task[ResourceKind::gpus] > 0;
    const std::int64_t part = live.task[has_gpus ? ResourceKind::gpus : ResourceKind::cpus];
    const __int128 gain = static_cast<__int128>(part) * static_cast<std::int64_t>(more) * left.ms / kMilli;
    return gain > (has_gpus ? one.loss.gpu_ms : one.loss.cpu_ms);
  }

  bool stands_against(const JobRow& job, const Place& place) const {
    const Shape& shape = cycle_.in.state.shape_of(job);
    const Shape sized = shape.sized(static_cast<std::int32_t>(place.placement.size()));
    return quota_objects(cycle_.in.state, sized, place.flavor, When::later) ||
           budget_objects(cycle_.in.state, job.id, sized, place.flavor, cycle_.in.now) ||
           gang_objects(cycle_.in.state, place, shape, When::later);
  }

  bool are_closed(const std::vector<NodeIndex>& nodes, const Walltime& walltime) const {
    const AdvanceReservations& advance_reservations = cycle_.tried.reservations.advance_reservations();
    return std::ranges::any_of(
        nodes, [&](NodeIndex node) { return advance_reservations.closing(node, walltime.until, walltime.pass); });
  }

  // Only if it could really start there: its queue may not start jobs now, or its present nodes may be out of service
  // or closed soon by an advance reservation.
  void decide(const Running& one, const LiveAttempt& live, Grant grant) {
    const Inventory& inventory = cycle_.in.state.inventory;
    Resize resize{.job = one.job,
                  .attempt = live.number,
                  .cluster = inventory.cluster_names[grant.cluster],
                  .flavor = inventory.name_of(grant.flavors),
                  .placement = placement_of(inventory, grant.nodes, grant.bits),
                  .lost_gpu_ms = one.loss.gpu_ms,
                  .kept_for = stop_time(one)};
    const auto mark = cycle_.tried.trial.mark();
    cycle_.tried.trial.depart(one.job);
    if (are_closed(grant.nodes, walltime_after(one, live)) ||
        stands_against(*one.row, {resize.cluster, resize.flavor, resize.placement}))
      return cycle_.tried.trial.roll_back(mark);
    cycle_.tried.trial.nominate({.place = std::move(grant)});
    ++resized_;
    cycle_.out.wake_at(after(cycle_.in.now, resize.kept_for));
    cycle_.out.plan.decisions.emplace_back(std::move(resize));
  }

  Cycle& cycle_;
  std::optional<std::set<FlavorIndex>> wanted_;  // flavors
  std::size_t resized_ = 0;
};

}  // namespace

void resize(Cycle& cycle) {
  const Policy& policy = cycle.in.policy;
  if (policy.resizing == Resizing::off || !policy.preempt_phase || !policy.place_phase) return;
  if (cycle.in.state.growable.empty()) return;
  Resizer(cycle).run();
}

}  // namespace ym::engine
