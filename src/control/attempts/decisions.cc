#include "control/attempts/decisions.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "control/attempts/launch.h"
#include "control/attempts/stops.h"
#include "control/state/reasons.h"

namespace ym {
namespace {

constexpr const char* kScheduler = "scheduler";

std::string why_evicted(const engine::Eviction& eviction) {
  if (eviction.cause == engine::Eviction::Cause::drain) return fmt::format("queue {} is drained", eviction.queue);
  if (eviction.goes_on.empty())
    return fmt::format("the quota of queue {} was made smaller, and there is none left for the job", eviction.queue);
  return fmt::format("the quota of queue {} was made smaller: goes on with nodes={}, for which there is quota",
                     eviction.queue, eviction.goes_on.size());
}

// A job of the preempting job's own queue is preempted by priority, even if the queue also reclaims or borrows.
PreemptionCause cause_of_stop(const engine::Preemption& preemption, const Job& preempting_job, const Job& preempted) {
  const PreemptionCause cause = engine::preemption_cause(preemption.cause);
  const bool is_of_queues = cause == PreemptionCause::reclaim || cause == PreemptionCause::borrow;
  return is_of_queues && preempting_job.queue == preempted.queue ? PreemptionCause::priority : cause;
}

class StageDecision {
 public:
  StageDecision(Staging& staging, const JobContacts& contacts, const engine::Plan& plan)
      : staging_(staging), contacts_(contacts), plan_(plan) {}

  void operator()(const engine::Admission& admission) {
    const Job& job = job_of(admission.job);
    Attempt attempt{.job = job.id,
                    .number = job.attempts + 1,
                    .epoch = staging_.tables().epoch,
                    .cluster = admission.cluster,
                    .queue = job.queue,
                    .flavor = admission.flavor,
                    .prices_micros = prices_of(admission.flavor, staging_.tables().flavors),
                    .placement = admission.placement,
                    .tasks = std::vector<TaskStatus>(admission.placement.size()),
                    .admitted_at = staging_.now()};
    if (!job.checkpoints.empty()) attempt.resumes_from = job.checkpoints.front();
    const AttemptKey key = attempt.key();
    staging_.add(kScheduler, AttemptAdmitted{std::move(attempt)});
    const Tables& tables = staging_.tables();
    staging_.then(launch_effect(tables, tables.attempts.at(key), contacts_, staging_.now()));
  }

  // The stops and the nominated placement are stored together. So no job stops for a place that another job could take.
  void operator()(const engine::Preemption& preemption) {
    const Job& job = job_of(preemption.job);
    NominatedPlacement nomination{.cluster = preemption.cluster,
                                  .flavor = preemption.flavor,
                                  .placement = preemption.placement,
                                  .preempted_jobs = {},
                                  .expires_at = staging_.now() + preemption.kept_for};
    for (const auto& preempted : preemption.preempted_jobs) {
      nomination.preempted_jobs.push_back(preempted.job);
      const PreemptionCause cause = cause_of_stop(preemption, job, job_of(preempted.job));
      stage_stop(staging_, kScheduler,
                 {.attempt = {preempted.job, preempted.attempt},
                  .cause = StopCause::preemption,
                  .preemption = cause,
                  .yields_to = job.id,
                  .estimated_lost_gpu_ms = preempted.lost_gpu_ms,
                  .resizes_to = static_cast<std::int32_t>(preempted.goes_on.size())},
                 why_preempted(job, job_of(preempted.job), cause));
      if (!preempted.goes_on.empty())
        keep_to_go_on({preempted.job, preempted.attempt}, preempted.goes_on, preemption.kept_for);
    }
    staging_.add(kScheduler, PlacementNominated{job.id, std::move(nomination)});
  }

  void operator()(const engine::Resize& resize) {
    const AttemptKey key{resize.job, resize.attempt};
    const auto nodes = static_cast<std::int32_t>(resize.placement.size());
    stage_stop(staging_, kScheduler,
               {.attempt = key,
                .cause = StopCause::preemption,
                .preemption = PreemptionCause::resize,
                .estimated_lost_gpu_ms = resize.lost_gpu_ms,
                .resizes_to = nodes},
               fmt::format("goes on with {} nodes instead of {}: no job waits for the added nodes", nodes,
                           staging_.tables().attempts.at(key).placement.size()));
    keep_to_go_on(key, resize.placement, resize.kept_for);
  }

  void operator()(const engine::Eviction& eviction) {
    const AttemptKey key{eviction.job, eviction.attempt};
    stage_stop(staging_, kScheduler,
               {.attempt = key,
                .cause = StopCause::preemption,
                .preemption = engine::preemption_cause(eviction.cause),
                .estimated_lost_gpu_ms = eviction.lost_gpu_ms,
                .resizes_to = static_cast<std::int32_t>(eviction.goes_on.size())},
               why_evicted(eviction));
    if (!eviction.goes_on.empty()) keep_to_go_on(key, eviction.goes_on, eviction.kept_for);
  }

  void operator()(const engine::NominationRelease& release) {
    staging_.add(kScheduler, NominationEnded{release.job}, release.why);
  }

  void operator()(const engine::Deferral& deferral) {
    staging_.add(kScheduler, JobDeferred{deferral.job, deferral.code}, engine::describe(plan_.dominant(deferral)));
  }

 private:
  void keep_to_go_on(AttemptKey key, const std::vector<TaskPlacement>& placement, Duration kept_for) {
    const Attempt& attempt = staging_.tables().attempts.at(key);
    staging_.add(kScheduler, PlacementNominated{key.job,
                                                {.cluster = attempt.cluster,
                                                 .flavor = attempt.flavor,
                                                 .placement = placement,
                                                 .preempted_jobs = {},
                                                 .expires_at = staging_.now() + kept_for}});
  }

  const Job& job_of(JobId id) const { return staging_.tables().jobs.at(id); }

  Staging& staging_;
  const JobContacts& contacts_;
  const engine::Plan& plan_;
};

}  // namespace

namespace {

void stage_provision(Staging& staging, const engine::Provision& provision) {
  const auto found = staging.tables().flavors.find(provision.flavor);
  if (found == staging.tables().flavors.end() || found->second.wanted.nodes == provision.nodes) return;
  // The maximum of the flavor has changed since.
  const auto& elastic = found->second.elastic;
  if (provision.nodes > (elastic ? elastic->max_nodes : 0)) return;
  staging.add(kScheduler, NodesWanted{provision.flavor, provision.nodes},
              provision.nodes == 0 ? "no job waits for more nodes of it"
                                   : fmt::format("{} {} for more nodes of it", provision.jobs,
                                                 provision.jobs == 1 ? "job waits" : "jobs wait"));
  if (!found->second.cluster.empty()) staging.then(ProvisionEffect{staging.tables().flavors.at(provision.flavor)});
}

}  // namespace

void stage_plan(Staging& staging, const JobContacts& contacts, const engine::Plan& plan) {
  // In a strict queue no job starts ahead of an earlier admission of the plan that does not fit any more.
  std::set<std::string> waiting;
  const auto strict_queue = [&](const engine::Decision& decision) -> const std::string* {
    const auto* admission = std::get_if<engine::Admission>(&decision);
    const auto job = admission ? staging.tables().jobs.find(admission->job) : staging.tables().jobs.end();
    if (job == staging.tables().jobs.end()) return nullptr;
    const auto queue = staging.tables().queues.find(job->second.queue);
    return queue != staging.tables().queues.end() && queue->second.strict ? &queue->first : nullptr;
  };
  for (const auto& decision : plan.decisions) {
    const std::string* strict = strict_queue(decision);
    if (strict && waiting.contains(*strict)) continue;
    if (engine::fits(staging.state().ledger, decision, staging.now())) {
      if (strict) waiting.insert(*strict);
      continue;
    }
    std::visit(StageDecision{staging, contacts, plan}, decision);
  }
  for (const auto& provision : plan.provisions) stage_provision(staging, provision);
}

}  // namespace ym
