#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "engine/plan_audit.h"
#include "engine/reserve/tenure.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// What a job has, or will have, of a node.
struct Occupant {
  JobId job;
  ResourceVector amounts;
  Instant from, until;  // kNever: that is not known
};

class PromisesAudit {
 public:
  PromisesAudit(const State::Impl& state, const Policy& policy, const Plan& plan, Instant now)
      : state_(state), policy_(policy), plan_(plan), now_(now) {}

  std::optional<std::string> run() {
    for (const Decision& decision : plan_.decisions) std::visit([&](const auto& one) { note(one); }, decision);
    for (const auto& [job, attempt] : state_.live)
      if (!attempt.stopping && !stopped_.contains(job)) enter(job, attempt);
    for (const Reservation& given : plan_.reservations) enter(given);
    for (const Reservation& given : plan_.reservations) check(given);
    return broken_;
  }

 private:
  void note(const Admission& admission) {
    begun_.insert(admission.job);
    const Instant until = until_of(admission.job, after(now_, policy_.start_allowance));
    for (std::size_t task = 0; task < admission.placement.size(); ++task)
      enter(admission.placement[task].node,
            {.job = admission.job, .amounts = task_of(shape_of(admission.job), task), .from = now_, .until = until});
  }
  void note(const Preemption& preemption) {
    for (const Victim& victim : preemption.victims) stopped_.insert(victim.job);
  }
  void note(const Eviction& eviction) { stopped_.insert(eviction.job); }
  void note(const Resize& resize) { stopped_.insert(resize.job); }
  void note(const HoldRelease&) {}
  void note(const Deferral&) {}

  void enter(const std::string& node, const Occupant& occupant) { occupants_[node].push_back(occupant); }

  void enter(JobId job, const LiveAttempt& attempt) {
    const Instant until = until_of(job, attempt.started_at.value_or(attempt.admitted_at));
    for (std::size_t task = 0; task < attempt.tasks.size(); ++task) {
      const auto& [node, bits, devices] = attempt.tasks[task];
      const Task& taken = task_of(attempt, task);
      ResourceVector amounts = taken;
      // Some of its devices may be gone.
      if (bits == 0) amounts[ResourceKind::gpus] = 0;
      else if (!NodeNeed::of(taken).shares())
        amounts[ResourceKind::gpus] = state_.inventory.size_of(node, bits)[ResourceKind::gpus];
      enter(state_.inventory.node_names[node], {.job = job, .amounts = amounts, .from = now_, .until = until});
    }
  }

  // Which task is promised which node is not said: what each of them needs at least.
  void enter(const Reservation& given) {
    if (begun_.contains(given.job)) report(given, "begins");
    for (const std::string& node : given.nodes) {
      holders_[node].push_back(given.job);
      enter(node, {.job = given.job,
                   .amounts = least_of(given.job),
                   .from = given.from,
                   .until = given.until.value_or(kNever)});
    }
  }

  Instant until_of(JobId id, Instant begun) const {
    const JobRow& job = *state_.jobs.find(id);
    return job.time_limit ? after(after(begun, *job.time_limit), job.grace) : kNever;
  }

  const Shape& shape_of(JobId job) const { return state_.shape_of(*state_.jobs.find(job)); }

  ResourceVector least_of(JobId job) const {
    const Shape& shape = shape_of(job);
    if (shape.groups.empty()) return shape.task;
    ResourceVector least = shape.groups.front().task;
    for (const Group& group : shape.groups)
      for (const ResourceKind kind : kKindsByWeight) least[kind] = std::min(least[kind], group.task[kind]);
    return least;
  }

  // Who may be stopped for a holder need not be gone before, and is out of the way of all others then.
  bool may_yield(JobId job, JobId holder) const {
    const Index queue = shape_of(holder).queue;
    const auto rules = state_.queues.find(state_.queue_names[queue]);
    const PreemptRule rule = rules == state_.queues.end() ? Queue{}.preempt : rules->second.preempt;
    return policy_.preempt_phase && rule != PreemptRule::never && shape_of(job).queue == queue &&
           state_.jobs.find(job)->preemptible;
  }

  bool may_yield(JobId job, const std::vector<JobId>& holders) const {
    return std::ranges::any_of(holders, [&](JobId holder) { return may_yield(job, holder); });
  }

  void check(const Reservation& given) {
    for (const std::string& name : given.nodes) {
      const Index node = state_.inventory.node_names.find(name);
      ResourceVector left = state_.inventory.size_of(node);
      for (const Occupant& occupant : occupants_[name])
        if (occupant.from <= given.from && given.from < occupant.until && !may_yield(occupant.job, holders_[name]))
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
  std::set<JobId> begun_, stopped_;
  std::map<std::string, std::vector<Occupant>> occupants_;  // by node
  std::map<std::string, std::vector<JobId>> holders_;       // by node: who is promised it
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> broken_promise(const State& state, const Policy& policy, const Plan& plan, Instant now) {
  return PromisesAudit(state.impl(), policy, plan, now).run();
}

}  // namespace ym::engine
