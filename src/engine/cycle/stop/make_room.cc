#include "engine/cycle/stop/make_room.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/revoke.h"
#include "engine/preemption/lawful.h"
#include "engine/preemption/preemptible_jobs.h"

namespace ym::engine {
namespace {

// Whether the place waits for the end of this attempt: it is on a node of the place, or uses quota that the job needs.
bool is_waited_for(const Inputs& in, const Shape& shape, const RoomPlan& plan, const LiveAttempt& live,
                   bool for_quota) {
  const QuotaTree& quota = in.state.quota;
  if (for_quota && quota.root(live.queue) == quota.root(shape.queue)) return true;
  return std::ranges::any_of(live.tasks, [&](const LiveTask& task) {
    return std::ranges::find(plan.choice.nodes.nodes, task.node) != plan.choice.nodes.nodes.end();
  });
}

// Call it before a job is stopped, so that the list is complete, and again to add the job.
std::vector<Findings::StoppingJob>& stopping_jobs(const Inputs& in, Findings& known) {
  if (known.stopping_jobs) return *known.stopping_jobs;
  known.stopping_jobs.emplace();
  for (const auto& [job, live] : in.state.live)
    if (live.leaving) known.stopping_jobs->push_back({.row = in.state.jobs.find(job), .live = &live});
  return *known.stopping_jobs;
}

// Until the last of the stopping jobs has used its grace, plus a margin. `for_quota`: the job lacks quota without that.
// Precondition: the preempted jobs have departed.
Duration kept_for(const Inputs& in, Findings& known, const Shape& shape, const RoomPlan& plan, bool for_quota) {
  Duration longest;
  for (const Running* preempted : plan.preempted_jobs)
    if (!preempted->tentative) longest = std::max(longest, preempted->row->grace);
  // A job that departed in this cycle has all of its grace left.
  for (const auto& [row, live] : stopping_jobs(in, known))
    if (live->leaving && is_waited_for(in, shape, plan, *live, for_quota))
      longest = std::max(longest, live->stop_by ? *live->stop_by - in.now : row->grace);
  return longest + in.policy.hold_margin;
}

PreemptedJob stop(const Inputs& in, Tried& tried, Findings& known, Running& preempted, const RoomPlan& plan) {
  PreemptedJob stopped{.job = preempted.job, .attempt = preempted.attempt, .lost_gpu_ms = preempted.loss.gpu_ms};
  const auto going = std::ranges::find(plan.going_on, &preempted, &GoingOn::preempted);
  if (going != plan.going_on.end())
    stopped.goes_on = placement_of(in.state.inventory, going->choice.nodes.nodes, going->choice.devices);
  stopping_jobs(in, known).push_back({.row = preempted.row, .live = in.state.live.find(preempted.job)});
  tried.trial.depart(preempted.job);
  preempted.gone = true;
  return stopped;
}

// The highest queue on the path from `queue` to the root that is not above `other`. kNone: `queue` is `other` or above
// it. Precondition: both are in one tree.
QueueIndex side_of(const QuotaTree& quota, QueueIndex queue, QueueIndex other) {
  if (quota.is_above(queue, other)) return kNone;
  while (!quota.is_above(quota.parent(queue), other)) queue = quota.parent(queue);
  return queue;
}

// Admissions of this cycle in the tree that may be revoked. If they are on a preempted job's side of the tree, they may
// be why the preempted jobs hold lent quota. Any of them may be why quota is short.
struct Admitted {
  std::vector<JobId> all;
  std::map<std::pair<QueueIndex, FlavorIndex>, ResourceVector> sums;  // usage by queue and flavor
  bool beside_preempted_jobs = false;
};

Admitted admitted_in_tree(const Inputs& in, const Tried& tried, const Shape& shape, const std::set<QueueIndex>& sides) {
  const QuotaTree& quota = in.state.quota;
  Admitted admitted;
  for (const auto& [slot, tentative] : tried.tentative) {
    const JobRow& row = in.state.jobs[slot];
    const Footprint& place = tentative.place;
    if (!row.preemptible || quota.root(place.queue) != quota.root(shape.queue)) continue;
    admitted.all.push_back(row.id);
    for (const FlavorIndex flavor : place.flavors.each()) admitted.sums[{place.queue, flavor}] += place.in(flavor);
    admitted.beside_preempted_jobs |= sides.contains(side_of(quota, place.queue, shape.queue));
  }
  return admitted;
}

// Precondition: `quota` is the quota of the claimant's state.
Kinds contested_without(QuotaTree& quota, const Claimant& claimant, const Admitted& admitted) {
  for (const auto& [where, sum] : admitted.sums) quota.remove(where.first, where.second, sum);
  const Kinds contested = contested_kinds(claimant);
  for (const auto& [where, sum] : admitted.sums) quota.add(where.first, where.second, sum);
  return contested;
}

// Whether running jobs may be stopped only because of admissions of this cycle: only with these does their queue hold
// borrowed quota, or is quota of that kind short. Precondition: no preempted job has departed.
bool rests_on_admissions(const Inputs& in, Tried& tried, const Claimant& claimant, const RoomPlan& plan) {
  const bool takes_back = plan.cause == Preemption::Cause::reclaim || plan.cause == Preemption::Cause::borrow;
  if (!takes_back || tried.tentative.empty()) return false;
  std::vector<Subject> stopped;
  std::set<QueueIndex> sides;
  for (const Running* preempted : plan.preempted_jobs) {
    if (preempted->tentative) continue;
    stopped.push_back(*preempted);
    sides.insert(side_of(in.state.quota, preempted->place->queue, claimant.shape.queue));
  }
  sides.erase(kNone);  // preempted jobs of its own queue
  const Admitted admitted = admitted_in_tree(in, tried, claimant.shape, sides);
  if (contested_without(in.state.quota, claimant, admitted) != contested_kinds(claimant)) return true;
  if (!admitted.beside_preempted_jobs) return false;
  const auto mark = tried.trial.mark();
  for (const JobId job : admitted.all) tried.trial.depart(job);
  const bool rests = depart_lawfully(tried.trial, claimant, stopped, Own::aside).has_value();
  tried.trial.roll_back(mark);
  return rests;
}

}  // namespace

bool some_jobs_leave(const Inputs& in, const Tried& tried) { return in.state.leaving > 0 || tried.has_revoked(); }

Instant mark_overdue(const Inputs& in, Tried& tried) {
  Instant until = Running::kNever;
  for (const auto& [job, live] : in.state.live) {
    if (!live.leaving || !live.stop_by) continue;
    const Instant overdue = *live.stop_by + in.policy.hold_margin;
    if (overdue <= in.now) tried.trial.mark_overdue(job);
    else until = std::min(until, overdue);
  }
  return until;
}

Duration longest_stop(const Inputs& in) {
  Duration longest;
  for (const auto& [job, live] : in.state.live)
    longest = std::max(longest, live.stop_by ? *live.stop_by - in.now : in.state.jobs.find(job)->grace);
  return longest + in.policy.hold_margin;
}

std::optional<Choice> room_expected(const Cycle& cycle, Rank rank, const Option& option) {
  const Shape& shape = cycle.shape(rank);
  const Walltime walltime = walltime_of(cycle.in, cycle.pending, cycle.tried, rank, cycle.known.longest_stop);
  if (!only_waits(cycle.in, shape, option) ||
      cycle.tried.quota_stops(cycle.in, shape, option.flavors, walltime, When::later))
    return std::nullopt;
  return choose(cycle.in.state.inventory, cycle.in.scorer, option.flavors, shape.need(),
                cycle.tried.access(cycle.in, cycle.known, walltime), When::later);
}

bool expects_room(Cycle& cycle, Rank rank) {
  if (!some_jobs_leave(cycle.in, cycle.tried)) return false;
  for (const Option& option : cycle.shape_cache(rank).options) {
    auto choice = room_expected(cycle, rank, option);
    if (!choice) continue;
    cycle.tried.trial.nominate({.place = cycle.grant(rank, option.flavors, std::move(*choice)), .expected = true});
    return true;
  }
  return false;
}

void make_room(Cycle& cycle, Rank rank, const Flavors& flavors, RoomPlan plan) {
  if (admit_instead(cycle, rank, flavors, plan)) return;
  const Inventory& inventory = cycle.in.state.inventory;
  Preemption decision{.job = cycle.job(rank).id,
                      .cluster = inventory.cluster_names[plan.choice.nodes.cluster],
                      .flavor = inventory.name_of(flavors),
                      .placement = placement_of(inventory, plan.choice.nodes.nodes, plan.choice.devices),
                      .preempted_jobs = {},
                      .kept_for = {},
                      .cause = plan.cause};
  const Shape& shape = cycle.shape(rank);
  const QueueIndex root = cycle.in.state.quota.root(shape.queue);
  if (!cycle.tried.admissions_stay.contains(root) &&
      rests_on_admissions(cycle.in, cycle.tried, claimant_of(cycle.in, cycle.pending, rank, flavors), plan))
    cycle.tried.admissions_stay.insert(root);
  for (Running* preempted : plan.preempted_jobs)
    if (preempted->tentative) revoke(cycle.in, cycle.pending, cycle.tried, *preempted, rank);
    else decision.preempted_jobs.push_back(stop(cycle.in, cycle.tried, cycle.known, *preempted, plan));
  const bool for_quota = cycle.tried.quota_stops(cycle.in, shape, flavors, kFleeting);
  decision.kept_for = kept_for(cycle.in, cycle.known, shape, plan, for_quota);
  cycle.tried.trial.nominate({.place = cycle.grant(rank, flavors, std::move(plan.choice))});
  for (GoingOn& one : plan.going_on)
    cycle.tried.trial.nominate({.place = grant_to(cycle.in.state.jobs.slot(one.preempted->job),
                                                  one.preempted->place->flavors, std::move(one.choice))});
  // Jobs that go on with fewer nodes leave more to choose from.
  if (!plan.going_on.empty()) cycle.known.target.reset();
  cycle.entry(rank).status = EntryStatus::kept;
  cycle.tried.made_room[decision.job] = {.stopping = decision.preempted_jobs.size(),
                                         .until = cycle.in.now + decision.kept_for};
  cycle.out.wake_at(cycle.tried.made_room[decision.job].until);
  cycle.out.plan.decisions.emplace_back(std::move(decision));
}

namespace {

// Finds once a round which jobs are leaving.
void note_stopping_jobs(const Inputs& in, Tried& tried, Findings& known) {
  if (known.expected_until) return;
  known.longest_stop = longest_stop(in);
  known.expected_until = mark_overdue(in, tried);
}

}  // namespace

RoomThere make_room_there(Cycle& cycle, Rank rank, const Option& option) {
  if (!cycle.in.policy.preempt_phase || cycle.in.state.live.empty() ||
      !only_waits(cycle.in, cycle.shape(rank), option) || budget_hit(cycle.in, cycle.pending, rank, option.flavors))
    return RoomThere::none;
  // A job with many options tries only the first here. The others are searched once all jobs have been tried.
  constexpr std::ptrdiff_t kMostWays = 8;
  if (option.flavors.is_mix() && &option - cycle.shape_cache(rank).options.data() >= kMostWays) return RoomThere::none;
  if (cycle.tried.made_room.size() >= kMostHelped || cycle.known.searches >= kMostSearches) {
    cycle.out.wake_at(cycle.in.now);
    return RoomThere::expected;
  }
  note_stopping_jobs(cycle.in, cycle.tried, cycle.known);
  // The room is its own for this round, so the next job searches other room.
  if (auto choice = some_jobs_leave(cycle.in, cycle.tried) ? room_expected(cycle, rank, option) : std::nullopt) {
    if (*cycle.known.expected_until != Running::kNever) cycle.out.wake_at(*cycle.known.expected_until);
    cycle.tried.trial.nominate({.place = cycle.grant(rank, option.flavors, std::move(*choice)), .expected = true});
    return RoomThere::expected;
  }
  // Not admissions of this cycle: whether these may stay is decided at the end.
  ++cycle.known.searches;
  const PreemptibleJobs running(cycle.in, cycle.pending, cycle.tried, PreemptibleJobs::Include::running);
  RoomSearch search = search_room(cycle, rank, option.flavors, running);
  if (search.next_unspared != Running::kNever) cycle.out.wake_at(search.next_unspared);
  if (!search.plan) return RoomThere::none;
  make_room(cycle, rank, option.flavors, std::move(*search.plan));
  return RoomThere::made;
}

void forget_expected(Tried& tried, Findings& known) {
  if (known.expected_until) tried.trial.release_expected();
  known.expected_until.reset();
}

}  // namespace ym::engine
