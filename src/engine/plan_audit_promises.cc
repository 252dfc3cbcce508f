#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "engine/plan_audit.h"
#include "engine/preemption/lawful.h"
#include "engine/reserve/walltime.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// When a job got its place, or would get it.
struct TaskAllocation {
  JobId job;
  QueueIndex queue = kNone;
  Instant begun;
};

// What a job has, or will have, of a node.
struct Occupant {
  ResourceVector amounts;
  Instant from, until;         // kNever: not known
  Claims claims;               // what rules for preemption look at
  Instant yields_by = kNever;  // when it could be gone if it is stopped as soon as allowed
};

class PromisesAudit {
 public:
  PromisesAudit(const State::Impl& state, const Policy& policy, const Plan& plan, Instant now)
      : state_(state), policy_(policy), plan_(plan), now_(now) {}

  std::optional<std::string> run() {
    for (const Decision& decision : plan_.decisions) std::visit([&](const auto& one) { note(one); }, decision);
    for (const auto& [job, attempt] : state_.live)
      if (!attempt.stopping && !stopped_.contains(job)) enter(job, attempt);
    for (const auto& [job, held] : state_.holds)
      if (!begun_.contains(job) && !released_.contains(job)) enter(job, held);
    for (const Reservation& given : plan_.reservations) enter(given);
    for (const Reservation& given : plan_.reservations) check(given);
    return broken_;
  }

 private:
  void note(const Admission& admission) {
    begun_.insert(admission.job);
    enter(admission.job, admission.placement);
  }
  void note(const Preemption& preemption) {
    enter(preemption.job, preemption.placement);
    for (const Victim& victim : preemption.victims) {
      stopped_.insert(victim.job);
      enter(victim.job, victim.goes_on);
    }
  }
  void note(const Eviction& eviction) {
    stopped_.insert(eviction.job);
    enter(eviction.job, eviction.goes_on);
  }
  void note(const Resize& resize) {
    stopped_.insert(resize.job);
    enter(resize.job, resize.placement);
  }
  void note(const NominationRelease& release) { released_.insert(release.job); }
  void note(const Deferral&) {}

  // A place that is given or nominated now.
  void enter(JobId job, const std::vector<TaskPlacement>& placement) {
    const Shape& shape = shape_of(job);
    const TaskAllocation stay{.job = job, .queue = shape.queue, .begun = after(now_, policy_.start_allowance)};
    for (const TaskIndex task : indices<TaskIndex>(placement.size()))
      enter(placement[task.value].node, stay, task_of(shape, task));
  }

  void enter(JobId job, const Nomination& held) {
    const TaskAllocation stay{.job = job, .queue = held.queue, .begun = after(now_, policy_.start_allowance)};
    for (const TaskIndex task : held.tasks.indices())
      enter(state_.inventory.node_names[held.tasks[task].node], stay, task_of(held, task));
  }

  void enter(const std::string& node, const TaskAllocation& stay, const ResourceVector& amounts) {
    const JobRow& job = *state_.jobs.find(stay.job);
    occupants_[node].push_back({.amounts = amounts,
                                .from = now_,
                                .until = until_of(job, stay.begun),
                                .claims = claims_of(job, stay.queue),
                                .yields_by = yields_by(job, stay)});
  }

  void enter(JobId job, const LiveAttempt& attempt) {
    const TaskAllocation stay{
        .job = job, .queue = attempt.queue, .begun = attempt.started_at.value_or(attempt.admitted_at)};
    for (const TaskIndex task : attempt.tasks.indices()) {
      const auto& [node, bits, devices] = attempt.tasks[task];
      const Task& taken = task_of(attempt, task);
      ResourceVector amounts = amounts_of(taken);
      // Some devices of the task may be gone.
      if (bits == 0) amounts[ResourceKind::gpus] = 0;
      else if (!NodeNeed::of(taken).shares())
        amounts[ResourceKind::gpus] = state_.inventory.size_of(node, bits)[ResourceKind::gpus];
      enter(state_.inventory.node_names[node], stay, amounts);
    }
  }

  // A reservation does not say which task gets which node: count the smallest need.
  void enter(const Reservation& given) {
    if (begun_.contains(given.job)) report(given, "begins");
    for (const std::string& node : given.nodes) {
      holders_[node].push_back(&given);
      occupants_[node].push_back(
          {.amounts = least_of(given.job), .from = given.from, .until = given.until.value_or(kNever)});
    }
  }

  // Amounts alone: not which devices.
  static ResourceVector amounts_of(const ResourceVector& task) { return task; }

  static Instant until_of(const JobRow& job, Instant begun) {
    return job.time_limit ? after(after(begun, *job.time_limit), job.grace) : kNever;
  }

  const Shape& shape_of(JobId job) const { return state_.shape_of(*state_.jobs.find(job)); }

  ResourceVector least_of(JobId job) const {
    const Shape& shape = shape_of(job);
    if (shape.groups.empty()) return amounts_of(shape.task);
    ResourceVector least = amounts_of(shape.groups.front().task);
    for (const Group& group : shape.groups)
      for (const ResourceKind kind : kKindsByWeight) least[kind] = std::min(least[kind], group.task[kind]);
    return least;
  }

  // By the rules of the queue. Earlier preemptions and protection by a deadline are not considered.
  Instant yields_by(const JobRow& job, const TaskAllocation& stay) const {
    if (!job.preemptible || !policy_.preempt_phase) return kNever;
    const Queue rules = rules_of(stay.queue);
    return after(std::max(now_, after(stay.begun, std::max(job.min_runtime, rules.min_runtime.priority))), job.grace);
  }

  Queue rules_of(QueueIndex queue) const {
    const auto rules = state_.queues.find(state_.queue_names[queue]);
    return rules == state_.queues.end() ? Queue{} : rules->second;
  }

  // A job that a holder stops at its start is then out of the way of all others.
  bool is_stopped_by(Instant time, const std::string& node, const Occupant& occupant) const {
    const auto holders = holders_.find(node);
    return std::ranges::any_of(holders->second, [&](const Reservation* holder) {
      const Claims claims = claims_of(*state_.jobs.find(holder->job), shape_of(holder->job).queue);
      return holder->from <= time && occupant.yields_by <= holder->from && claims.queue == occupant.claims.queue &&
             may_stop(rules_of(claims.queue).preempt, claims, occupant.claims);
    });
  }

  void check(const Reservation& given) {
    for (const std::string& name : given.nodes) {
      const NodeIndex node = state_.inventory.node_names.find(name);
      ResourceVector left = state_.inventory.size_of(node);
      for (const Occupant& occupant : occupants_[name])
        if (occupant.from <= given.from && given.from < occupant.until && !is_stopped_by(given.from, name, occupant))
          left -= occupant.amounts;
      for (const ResourceKind kind : kKindsByWeight)
        if (left[kind] < 0 && least_of(given.job)[kind] > 0)
          report(given, fmt::format("will not find enough {} on node {}", to_string(kind), name));
    }
  }

  void report(const Reservation& given, std::string_view what) {
    if (!broken_) broken_ = fmt::format("job {} is promised machines, and {}", to_string(given.job), what);
  }

  const State::Impl& state_;
  const Policy& policy_;
  const Plan& plan_;
  const Instant now_;
  std::set<JobId> begun_, stopped_, released_;
  std::map<std::string, std::vector<Occupant>> occupants_;          // by node
  std::map<std::string, std::vector<const Reservation*>> holders_;  // by node: reservations on it
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> broken_promise(const State& state, const Policy& policy, const Plan& plan, Instant now) {
  return PromisesAudit(state.impl(), policy, plan, now).run();
}

}  // namespace ym::engine
