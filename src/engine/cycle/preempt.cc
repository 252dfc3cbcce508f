// Who is stopped for whom.
//
// Jobs that found no place are looked at in order. Who will find room when those have left who
// leave already waits for that: the room is expected for it, and nobody else is stopped for it. Who
// should have left for longer than the policy's margin is not counted on any more.
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
// decision does not fit any more when its turn comes, and the next cycle decides anew. Nor can it be seen
// here that quota may be taken back from a queue only because of what it borrows by an admission of this
// cycle: without that it holds nothing that was lent; that is for the next cycle too.
//
// Whoever was kept back only by a job that has room now may go on: places are looked for once
// more, and then victims, until nobody is stopped; for as many rounds as jobs wait at most.
#include <algorithm>
#include <tuple>

#include "engine/cycle/cycle.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stoppable.h"
#include "engine/cycle/take_back.h"
#include "engine/preemption/hopeless.h"
#include "engine/preemption/search.h"

namespace ym::engine {
namespace {

// For so many jobs others are stopped in one cycle at most, so that it stays short; the next one
// goes on.
constexpr std::size_t kMostHelped = 256;

// Those who should have left are not counted on; what is expected of the others until the first of
// them should have left too.
Instant doubt_overdue(Cycle& cycle) {
  Instant until = Running::kNever;
  for (const auto& [job, live] : cycle.state.live) {
    if (!live.leaving || !live.stop_by) continue;
    const Instant overdue = *live.stop_by + cycle.policy.hold_margin;
    if (overdue <= cycle.now) cycle.trial.doubt(job);
    else until = std::min(until, overdue);
  }
  return until;
}

Duration longest_stop(const Cycle& cycle) {
  Duration longest;
  for (const auto& [job, live] : cycle.state.live)
    longest = std::max(longest, live.stop_by ? *live.stop_by - cycle.now : cycle.state.jobs.find(job)->grace);
  return longest + cycle.policy.hold_margin;
}

// Room that will be there without anybody being stopped.
bool expects_room(Cycle& cycle, Rank rank) {
  if (cycle.state.leaving == 0 && !cycle.took_back()) return false;
  const Shape& shape = cycle.shape(rank);
  const Tenure tenure = tenure_of(cycle, rank, cycle.longest_stop);
  for (const Option& option : cycle.case_of(rank).options) {
    if (!only_waits(cycle, shape, option) || cycle.quota_stops(shape, option.flavor, tenure, When::later)) continue;
    auto choice = choose(cycle.state.inventory, option.flavor, shape.need(), cycle.access(tenure), When::later);
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
  const bool for_quota = cycle.quota_stops(shape, flavor, kFleeting);
  for (const auto& [job, live] : cycle.state.live)
    if (live.leaving && live.stop_by && is_waited_for(cycle, shape, plan, live, for_quota))
      longest = std::max(longest, *live.stop_by - cycle.now);
  return longest + cycle.policy.hold_margin;
}

void stop(Cycle& cycle, Running& victim, Index queue, Preemption& decision) {
  decision.victims.push_back({.job = victim.job, .attempt = victim.attempt, .lost_gpu_ms = victim.loss.gpu_ms});
  if (victim.place->queue != queue) decision.cause = Preemption::Cause::reclaim;
  cycle.trial.depart(victim.job);
  victim.gone = true;
}

void make_room(Cycle& cycle, Rank rank, Index flavor, RoomPlan plan) {
  if (admit_instead(cycle, rank, flavor, plan)) return;
  const Inventory& inventory = cycle.state.inventory;
  Preemption decision{.job = cycle.job(rank).id,
                      .cluster = inventory.cluster_names[plan.choice.nodes.cluster],
                      .flavor = inventory.flavor_names[flavor],
                      .placement = placement_of(inventory, plan.choice.nodes.nodes, plan.choice.devices),
                      .victims = {},
                      .kept_for = {},
                      .cause = Preemption::Cause::priority};
  for (Running* victim : plan.victims)
    if (victim->fresh) take_back(cycle, *victim, rank);
    else stop(cycle, *victim, cycle.shape(rank).queue, decision);
  decision.kept_for = kept_for(cycle, rank, flavor, plan);
  cycle.trial.keep({.place = cycle.grant(rank, flavor, std::move(plan.choice))});
  cycle.standing[rank] = Standing::kept;
  cycle.made_room[decision.job] = {.stopping = decision.victims.size(), .until = cycle.now + decision.kept_for};
  cycle.wake_at(cycle.made_room[decision.job].until);
  cycle.plan.decisions.emplace_back(std::move(decision));
}

// One pass over those who found no place.
class Pass {
 public:
  Pass(Cycle& cycle, const Roster& roster)
      : cycle_(cycle), roster_(roster), expected_until_(doubt_overdue(cycle)), refused_(cycle.cases.size()) {}

  // Whether somebody is stopped, or an admission taken back.
  bool run() {
    forget_keepers(cycle_);
    for (Rank rank = 0; rank < cycle_.order.size(); ++rank)
      if (cycle_.standing[rank] == Standing::open) look_at(rank);
    cycle_.trial.release_expected();
    return stopped_;
  }

 private:
  void look_at(Rank rank) {
    if (cycle_.is_barred(rank)) return;
    const bool enough = cycle_.made_room.size() >= kMostHelped;
    if (enough) cycle_.wake_at(cycle_.now);
    if (enough || is_hopeless(rank)) return refuse(cycle_, rank);
    if (expects_room(cycle_, rank)) {
      if (expected_until_ != Running::kNever) cycle_.wake_at(expected_until_);
      hold_line(cycle_, rank);
      return;
    }
    if (find_room(rank)) stopped_ = true;
    else refuse(cycle_, rank);
  }

  bool is_hopeless(Rank rank) {
    const Seat& seat = cycle_.order[rank];
    // Of one shape most are, and while nothing is taken the answer to the next is the last one.
    const Refused now{.priority = seat.priority, .taken = cycle_.state.trial.size(), .epoch = cycle_.trial.epoch()};
    Refused& last = refused_[seat.shape];
    if (last == now && std::tuple(seat.submitted_at, seat.id) >= std::tuple(last.submitted_at, last.id)) return true;
    const JobRow& job = cycle_.job(rank);
    const bool hopeless = hopeless_.covers(job, cycle_.shape(rank), [&](Index flavor) {
      return contested_kinds(Claimant::of(cycle_.state, job, flavor));
    });
    if (!hopeless) return false;
    last = now;
    last.submitted_at = seat.submitted_at;
    last.id = seat.id;
    return true;
  }

  bool find_room(Rank rank) {
    Instant next = Running::kNever;
    Hopeless::Contested contested;
    for (const Option& option : cycle_.case_of(rank).options) {
      if (!only_waits(cycle_, cycle_.shape(rank), option)) continue;
      RoomSearch search = search_room(cycle_, rank, option.flavor, roster_);
      if (search.plan) {
        make_room(cycle_, rank, option.flavor, std::move(*search.plan));
        return true;
      }
      next = std::min(next, search.next_unspared);
      contested.emplace_back(option.flavor, search.contested);
    }
    if (next != Running::kNever) cycle_.wake_at(next);
    hopeless_.add(cycle_.job(rank), cycle_.shape(rank), std::move(contested));
    return false;
  }

  Cycle& cycle_;
  const Roster& roster_;
  struct Refused {
    std::int32_t priority = 0;
    std::size_t taken = 0;
    std::uint64_t epoch = 0;
    Instant submitted_at{};
    JobId id{};
    bool operator==(const Refused& other) const {
      return priority == other.priority && taken == other.taken && epoch == other.epoch;
    }
  };

  Instant expected_until_;
  Hopeless hopeless_;
  std::vector<Refused> refused_;  // by shape
  bool stopped_ = false;
};

bool stop_some(Cycle& cycle) {
  const bool somebody_leaves = cycle.state.leaving > 0 || cycle.took_back();
  if (!somebody_leaves && !anybody_may_be_stopped(cycle)) return false;
  cycle.longest_stop = longest_stop(cycle);
  if (!cycle.fresh.empty()) {
    const Roster fresh(cycle, Roster::Whom::fresh);
    if (Pass(cycle, fresh).run()) return true;
  }
  const Roster all(cycle, Roster::Whom::all);
  return Pass(cycle, all).run();
}

}  // namespace

void preempt(Cycle& cycle) {
  if (!cycle.policy.preempt_phase || !cycle.policy.place_phase) return;
  if (cycle.state.live.empty() && cycle.fresh.empty()) return;
  if (std::ranges::find(cycle.standing, Standing::open) == cycle.standing.end()) return;
  for (auto rounds = cycle.order.size(); rounds > 0 && stop_some(cycle); --rounds) place_all(cycle);
  // Who expects room kept nothing above, and does until it has it.
  if (cycle.state.leaving > 0 || cycle.took_back()) place_all(cycle);
  tidy_plan(cycle);
}

}  // namespace ym::engine
