// Who is stopped for whom.
//
// Jobs that found no place are looked at in order. Who will find room when those have left who
// leave already waits for that: the room is expected for it, and nobody else is stopped for it.
// For the others the best lawful plan is searched; what it takes is taken at once, so that two
// jobs never count on the same victims or the same place. Jobs that keep nodes or quota from
// those behind them keep them here too.
//
// Those behind may stop no more than those before them: where one of a queue is not helped, none is
// that asks for as much. Whether it has helped them that others left is seen in the next round.
//
// An admission of this cycle can be a victim too, by the same rules: it is taken back, and nobody
// starts only to be stopped. If that alone makes room, the job is admitted at once. So this is
// tried for all before anybody who runs is stopped for one of them. It can still happen that quota is
// taken back from a queue that had lent it only to one whose admission is taken back later: then the
// decision does not fit any more when its turn comes, and the next cycle decides anew.
//
// Whoever was kept back only by a job that has room now may go on: places are looked for once
// more, and then victims, until nobody is stopped; for as many rounds as jobs wait at most.
#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/preemption/hopeless.h"
#include "engine/preemption/search.h"

namespace ym::engine {
namespace {

// For so many jobs others are stopped in one cycle at most, so that it stays short; the next one
// goes on.
constexpr std::size_t kMostHelped = 256;

// Room that will be there without anybody being stopped.
bool expects_room(Cycle& cycle, Rank rank) {
  if (cycle.state.leaving == 0 && !cycle.took_back) return false;
  const Shape& shape = cycle.shape(rank);
  for (const Option& option : cycle.case_of(rank).options) {
    if (!only_waits(cycle, shape, option) || cycle.quota_stops(shape, option.flavor, When::later)) continue;
    auto choice = choose(cycle.state.inventory, option.flavor, shape.need(), cycle.kept_nodes.keepers(), When::later);
    if (!choice) continue;
    cycle.trial.keep({.place = cycle.grant(rank, option.flavor, std::move(*choice)), .expected = true});
    return true;
  }
  return false;
}

// Whether its leaving is waited for: on a node of the place, or for its quota.
bool is_waited_for(const Cycle& cycle, const Shape& shape, const RoomPlan& plan, const LiveAttempt& live,
                   bool for_quota) {
  const QuotaTree& quota = cycle.state.quota;
  if (for_quota && quota.root(live.queue) == quota.root(shape.queue)) return true;
  return std::ranges::any_of(live.tasks, [&](const LiveTask& task) {
    return std::ranges::find(plan.choice.nodes.nodes, task.node) != plan.choice.nodes.nodes.end();
  });
}

// Until the last who makes room has used its grace, and some time to find out. Precondition: the
// victims have departed.
Duration kept_for(const Cycle& cycle, Rank rank, Index flavor, const RoomPlan& plan) {
  const Shape& shape = cycle.shape(rank);
  Duration longest;
  for (const Running* victim : plan.victims)
    if (!victim->fresh) longest = std::max(longest, victim->row->grace);
  const bool for_quota = cycle.quota_stops(shape, flavor);
  for (const auto& [job, live] : cycle.state.live)
    if (live.leaving && live.stop_by && is_waited_for(cycle, shape, plan, live, for_quota))
      longest = std::max(longest, *live.stop_by - cycle.now);
  return longest + cycle.policy.hold_margin;
}

bool is_released(const Cycle& cycle, JobId job) {
  return std::ranges::any_of(cycle.plan.decisions, [&](const Decision& decision) {
    const auto* release = std::get_if<HoldRelease>(&decision);
    return release && release->job == job;
  });
}

// The admission is not made after all. If it was to a kept place, others have that now.
void take_back(Cycle& cycle, Running& admitted, Rank by) {
  std::erase_if(cycle.plan.decisions, [&](const Decision& decision) {
    const auto* admission = std::get_if<Admission>(&decision);
    return admission && admission->job == admitted.job;
  });
  if (cycle.state.holds.find(admitted.job) && !is_released(cycle, admitted.job))
    cycle.plan.decisions.emplace(
        cycle.plan.decisions.begin(),
        HoldRelease{.job = admitted.job,
                    .why = "its place is given to job " + to_string(cycle.job(by).id) + ", which goes first"});
  cycle.trial.release_grant(admitted.job);
  cycle.standing[admitted.rank] = Standing::open;
  cycle.fresh.erase(admitted.rank);
  admitted.gone = true;
  cycle.took_back = true;
}

void stop(Cycle& cycle, Running& victim, Index queue, Preemption& decision) {
  decision.victims.push_back({.job = victim.job, .attempt = victim.attempt, .lost_gpu_ms = victim.lost_gpu_ms});
  if (victim.place->queue != queue) decision.cause = Preemption::Cause::reclaim;
  cycle.trial.depart(victim.job);
  victim.gone = true;
}

// Nobody who runs has to be stopped, but others may still be leaving. At the smallest size: by what
// an elastic job took beyond that it might borrow, and be taken back itself.
bool admit_instead(Cycle& cycle, Rank rank, Index flavor, RoomPlan& plan) {
  const Shape& shape = cycle.shape(rank);
  const auto mark = cycle.trial.mark();
  for (const Running* victim : plan.victims) cycle.trial.depart(victim->job);
  std::optional<Choice> choice;
  if (!cycle.quota_stops(shape, flavor))
    choice = choose(cycle.state.inventory, flavor, shape.need(), cycle.kept_nodes.keepers());
  cycle.trial.roll_back(mark);
  if (!choice) return false;
  for (Running* victim : plan.victims) take_back(cycle, *victim, rank);
  admit(cycle, rank, flavor, std::move(*choice));
  return true;
}

void make_room(Cycle& cycle, Rank rank, Index flavor, RoomPlan plan) {
  const auto runs = [](const Running* victim) { return !victim->fresh; };
  if (std::ranges::none_of(plan.victims, runs) && admit_instead(cycle, rank, flavor, plan)) return;
  const Inventory& inventory = cycle.state.inventory;
  Preemption decision{.job = cycle.job(rank).id,
                      .cluster = inventory.cluster_names[plan.choice.nodes.cluster],
                      .flavor = inventory.flavor_names[flavor],
                      .placement = placement_of(inventory, plan.choice.nodes.nodes, plan.choice.devices),
                      .victims = {},
                      .kept_for = {},
                      .cause = Preemption::Cause::priority};
  for (Running* victim : plan.victims)
    if (runs(victim)) stop(cycle, *victim, cycle.shape(rank).queue, decision);
    else take_back(cycle, *victim, rank);
  decision.kept_for = kept_for(cycle, rank, flavor, plan);
  cycle.trial.keep({.place = cycle.grant(rank, flavor, std::move(plan.choice))});
  cycle.standing[rank] = Standing::kept;
  cycle.made_room[rank] = {.stopping = decision.victims.size(), .until = cycle.now + decision.kept_for};
  cycle.wake_at(cycle.made_room[rank].until);
  cycle.plan.decisions.emplace_back(std::move(decision));
}

bool find_room(Cycle& cycle, Rank rank, std::vector<Running>& roster) {
  Instant next = Running::kNever;
  for (const Option& option : cycle.case_of(rank).options) {
    if (!only_waits(cycle, cycle.shape(rank), option)) continue;
    RoomSearch search(cycle, rank, option.flavor, roster);
    if (auto plan = search.best()) {
      make_room(cycle, rank, option.flavor, std::move(*plan));
      return true;
    }
    next = std::min(next, search.next_unspared());
  }
  if (next != Running::kNever) cycle.wake_at(next);
  return false;
}

// Whether somebody is stopped, or an admission taken back.
bool stop_in_order(Cycle& cycle, std::vector<Running> roster) {
  bool stopped = false;
  Hopeless hopeless;
  forget_keepers(cycle);
  for (Rank rank = 0; rank < cycle.order.size(); ++rank) {
    if (cycle.standing[rank] != Standing::open) continue;
    const bool enough = cycle.made_room.size() >= kMostHelped;
    if (enough) cycle.wake_at(cycle.now);
    if (enough || hopeless.covers(cycle.job(rank), cycle.shape(rank))) {
      refuse(cycle, rank);
      continue;
    }
    if (expects_room(cycle, rank)) continue;
    if (find_room(cycle, rank, roster)) {
      stopped = true;
      continue;
    }
    hopeless.add(cycle.job(rank), cycle.shape(rank));
    refuse(cycle, rank);
  }
  cycle.trial.release_expected();
  return stopped;
}

bool stop_some(Cycle& cycle) {
  std::vector<Running> roster = roster_of(cycle);
  if (!cycle.fresh.empty()) {
    std::vector<Running> fresh = roster;
    std::erase_if(fresh, [](const Running& running) { return !running.fresh; });
    if (stop_in_order(cycle, std::move(fresh))) return true;
  }
  return stop_in_order(cycle, std::move(roster));
}

}  // namespace

void preempt(Cycle& cycle) {
  if (!cycle.policy.preempt_phase || !cycle.policy.place_phase) return;
  if (cycle.state.live.empty() && cycle.fresh.empty()) return;
  if (std::ranges::find(cycle.standing, Standing::open) == cycle.standing.end()) return;
  for (auto rounds = cycle.order.size(); rounds > 0 && stop_some(cycle); --rounds) place_in_order(cycle);
  // Who expects room kept nothing above, and does until it has it.
  if (cycle.state.leaving > 0 || cycle.took_back) place_in_order(cycle);
}

}  // namespace ym::engine
