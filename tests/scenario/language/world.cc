#include "scenario/language/world.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/explain/outlook.h"
#include "engine/invariants.h"
#include "engine/plan_audit.h"
#include "engine/state/impl.h"

namespace ym::testing {
namespace {

// Audits the state after each phase, while the cycle has changed it.
class Auditor : public engine::PhaseObserver {
 public:
  Auditor(const engine::State& state, std::vector<std::string>& problems) : state_(state), problems_(problems) {}
  void begin(std::string_view) override {}
  void end(std::string_view phase) override {
    if (auto broken = engine::broken_invariant(state_))
      problems_.push_back("after phase " + std::string(phase) + ": " + *broken);
  }

 private:
  const engine::State& state_;
  std::vector<std::string>& problems_;
};

// A waiting job gets the same answer as a submit of the same job would: that it can never run, or that it could. Jobs
// that are not considered are skipped, as held jobs and jobs in their backoff.
std::optional<std::string> broken_outlook(const engine::State& state, const Tables& tables, const engine::Plan& plan,
                                          Instant now) {
  for (const auto& verdict : plan.verdicts) {
    const Job& job = tables.jobs.at(verdict.job);
    const engine::Reason& told = plan.dominant(verdict);
    if (told.code() < ReasonCode::exceeds_max_quota || told.code() == ReasonCode::preemption_pending) continue;
    const std::vector<engine::JobInQueue> candidates{{*job.spec, job.queue}};
    const auto never = engine::outlooks_of(state, candidates, now).front().never;
    const bool told_never = told.code() <= ReasonCode::exceeds_capacity;
    if (never.empty() ? told_never : told != never.front())
      return fmt::format("job {} is told \"{}\", and \"{}\" beforehand", job.id.value, describe(told),
                         never.empty() ? "" : describe(never.front()));
  }
  return std::nullopt;
}

}  // namespace

// Vacancies are remembered although the pools are small. The states that it is compared with search instead.
World::World() {
  state_.impl().vacancies.remember_from(1);
  apply(ClusterSet{{.name = "lab", .executor = "simulated"}});
  Queue queue;
  queue.name = kDefaultQueue;
  apply(QueueSet{queue});
}

void World::apply(EventPayload payload) {
  const Event event{.seq = tables_.last_seq + 1, .time = clock_, .actor = "test", .payload = std::move(payload)};
  ym::apply(tables_, event);
  state_.apply(event);
}

JobId World::submit(JobSpec spec, Instant at, JobState state, std::string owner, std::optional<GroupId> group) {
  Job job;
  job.owner = std::move(owner);
  job.id = {++last_id_};
  job.spec_id = {job.id.value};
  job.group = group;
  job.name = spec.name;
  job.queue = spec.queue;
  job.priority = spec.priority;
  job.state = state;
  job.pending = state == JobState::held ? ReasonCode::held : ReasonCode::pending_evaluation;
  job.submitted_at = at;
  job.spec = std::make_shared<const JobSpec>(std::move(spec));
  // As a server does, whatever the answer is: the shape of the job may be new to the engine.
  const std::vector<engine::JobInQueue> candidates{{*job.spec, job.queue}};
  engine::outlooks_of(state_, candidates, clock_);
  apply(JobSubmitted{job});
  return job.id;
}

void World::start(const engine::Admission& admission) {
  const Job& job = tables_.jobs.at(admission.job);
  Attempt attempt;
  attempt.job = job.id;
  attempt.number = job.attempts + 1;
  attempt.cluster = admission.cluster;
  attempt.queue = job.queue;
  attempt.flavor = admission.flavor;
  attempt.placement = admission.placement;
  attempt.admitted_at = clock_;
  attempt.tasks.resize(admission.placement.size());
  attempt.prices_micros = prices_of(attempt.flavor, tables_.flavors);
  apply(AttemptAdmitted{attempt});
}

void World::cancel(JobId job, std::optional<Instant> stop_by) {
  apply(AttemptStopping{.attempt = tables_.live_attempt(job)->key(), .cause = StopCause::cancel, .stop_by = stop_by});
}

void World::preempt(JobId job, AttemptStopping stopping) {
  stopping.attempt = tables_.live_attempt(job)->key();
  stopping.cause = StopCause::preemption;
  stopping.stop_by = clock_ + tables_.jobs.at(job).spec->stop.grace;
  apply(stopping);
}

void World::end_attempt(JobId job) {
  const AttemptKey key = tables_.live_attempt(job)->key();
  const auto tasks = static_cast<std::int32_t>(tables_.attempts.at(key).tasks.size());
  for (std::int32_t task = 0; task < tasks; ++task) apply(TaskEnded{.attempt = key, .task = task, .exit = {}});
  apply(AttemptEnded{.attempt = key});
}

void World::end(JobId job) {
  end_attempt(job);
  apply(JobFinished{.job = job, .state = JobState::succeeded});
}

void World::requeue(JobId job, std::optional<Instant> not_before) {
  const bool preempted = tables_.live_attempt(job)->stop_cause == StopCause::preemption;
  end_attempt(job);
  apply(JobRequeued{
      .job = job, .cause = preempted ? RetryCause::preempted : RetryCause::infra, .not_before = not_before});
}

engine::Plan World::decide(const engine::Policy& policy, Instant now, std::vector<std::string>& problems) {
  if (++cycles_ % compared_every_ != 0) return engine::decide(state_, policy, now);
  Auditor auditor(state_, problems);
  const auto usage = engine::queue_usage(state_);
  const std::string known = text_of(state_);
  // Without the quota phase, exceeding quota is intended.
  engine::Plan plan = engine::decide(state_, policy, now, policy.quota_phase ? &auditor : nullptr);
  const std::string text = engine::to_text(plan);
  const auto same = [&](engine::State other, const std::string& what) {
    if (engine::to_text(engine::decide(other, policy, now)) != text) problems.push_back(what);
    if (engine::queue_usage(other) != usage) problems.push_back(what + " (usage of quota)");
    if (text_of(other) != known) problems.push_back(what + ":\n" + text_of(other) + "not\n" + known);
    if (auto broken = engine::broken_invariant(other)) problems.push_back(what + ": " + *broken);
  };
  const bool as_a_server = policy.quota_phase && policy.explain_phase && policy.provision_phase;
  if (const auto broken = as_a_server ? broken_outlook(state_, tables_, plan, now) : std::nullopt)
    problems.push_back(*broken);
  same(state_, "a copy of the state gives another plan");
  same(engine::State::load(tables_), "the tables give another plan than the events");
  if (engine::to_text(engine::decide(state_, policy, now)) != text) problems.emplace_back("the plan varies");
  if (auto broken = engine::broken_invariant(state_)) problems.push_back("after the cycle: " + *broken);
  if (auto broken = engine::decision_without_reason(state_, policy, plan)) problems.push_back(*broken);
  if (auto broken = engine::broken_reservation(state_, policy, plan, now)) problems.push_back(*broken);
  return plan;
}

void World::commit(const engine::Plan& plan, std::vector<std::string>& problems) {
  for (const auto& decision : plan.decisions) {
    if (auto objection = engine::fits(state_, decision, clock_)) {
      problems.push_back("a decision of the plan does not fit: " + *objection);
      continue;
    }
    std::visit([&](const auto& one) { commit(one); }, decision);
    if (!std::holds_alternative<engine::Deferral>(decision) && !engine::fits(state_, decision, clock_))
      problems.emplace_back("a decision fits twice");
    if (auto broken = engine::broken_invariant(state_)) problems.push_back("after a decision: " + *broken);
  }
  for (const auto& provision : plan.provisions) apply(NodesWanted{provision.flavor, provision.nodes});
}

void World::commit(const engine::Admission& admission) { start(admission); }

void World::commit(const engine::Preemption& preemption) {
  NominatedPlacement nomination{.cluster = preemption.cluster,
                                .flavor = preemption.flavor,
                                .placement = preemption.placement,
                                .preempted_jobs = {},
                                .expires_at = clock_ + preemption.kept_for};
  for (const auto& preempted : preemption.preempted_jobs) {
    nomination.preempted_jobs.push_back(preempted.job);
    preempt(preempted.job, {.preemption = engine::preemption_cause(preemption.cause),
                            .yields_to = preemption.job,
                            .estimated_lost_gpu_ms = preempted.lost_gpu_ms});
    if (!preempted.goes_on.empty()) keep_to_go_on(preempted.job, preempted.goes_on, preemption.kept_for);
  }
  apply(PlacementNominated{.job = preemption.job, .nomination = std::move(nomination)});
}

void World::keep_to_go_on(JobId job, const std::vector<TaskPlacement>& placement, Duration kept_for) {
  const Attempt& attempt = *tables_.live_attempt(job);
  apply(PlacementNominated{.job = job,
                           .nomination = {.cluster = attempt.cluster,
                                          .flavor = attempt.flavor,
                                          .placement = placement,
                                          .preempted_jobs = {},
                                          .expires_at = clock_ + kept_for}});
}

void World::commit(const engine::Resize& resize) {
  const JobId job = resize.job;
  preempt(job, {.preemption = PreemptionCause::resize,
                .estimated_lost_gpu_ms = resize.lost_gpu_ms,
                .resizes_to = static_cast<std::int32_t>(resize.placement.size())});
  keep_to_go_on(job, resize.placement, resize.kept_for);
}

void World::commit(const engine::Eviction& eviction) {
  const JobId job = eviction.job;
  preempt(job, {.preemption = engine::preemption_cause(eviction.cause), .estimated_lost_gpu_ms = eviction.lost_gpu_ms});
  if (!eviction.goes_on.empty()) keep_to_go_on(job, eviction.goes_on, eviction.kept_for);
}

void World::commit(const engine::NominationRelease& release) { apply(NominationEnded{release.job}); }

void World::commit(const engine::Deferral& deferral) { apply(JobDeferred{.job = deferral.job, .code = deferral.code}); }

}  // namespace ym::testing
