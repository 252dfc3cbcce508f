#include "shapes/town.h"

#include <chrono>
#include <utility>

namespace ym::bench {

Town::Town(Tables tables, engine::Policy policy)
    : state_(engine::State::load(tables)), policy_(policy), seq_(tables.last_seq), now_(Instant{0} + hours(100)) {
  for (const auto& [id, job] : tables.jobs) jobs_[id] = {job.queue, job.attempts};
}

void Town::apply(EventPayload payload) {
  state_.apply({.seq = ++seq_, .time = now_, .actor = {}, .reason = {}, .payload = std::move(payload)});
}

void Town::submit(const Job& job) {
  apply(JobSubmitted{job});
  jobs_[job.id] = {job.queue, 0};
}

bool Town::decide() {
  const auto begin = std::chrono::steady_clock::now();
  plan_ = engine::decide(state_, policy_, now_);
  ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  ++cycles_;
  for (const auto& decision : plan_.decisions) std::visit([this](const auto& one) { do_one(one); }, decision);
  for (const auto& decision : plan_.decisions)
    if (!std::holds_alternative<engine::Deferral>(decision)) return true;
  return false;
}

void Town::do_one(const engine::Admission& admission) {
  auto& [queue, attempts] = jobs_.at(admission.job);
  Attempt attempt{.job = admission.job, .number = ++attempts, .cluster = admission.cluster, .queue = queue};
  attempt.flavor = admission.flavor;
  attempt.placement = admission.placement;
  attempt.admitted_at = now_;
  const AttemptKey key = attempt.key();
  apply(AttemptAdmitted{std::move(attempt)});
  apply(AttemptStarted{key});
  ++admitted_;
}

void Town::do_one(const engine::Preemption& preemption) {
  NominatedPlacement nomination{
      .cluster = preemption.cluster, .flavor = preemption.flavor, .placement = preemption.placement};
  nomination.expires_at = now_ + preemption.kept_for;
  for (const auto& preempted : preemption.preempted_jobs) {
    nomination.preempted_jobs.push_back(preempted.job);
    apply(AttemptStopping{.attempt = {preempted.job, preempted.attempt},
                          .cause = StopCause::preemption,
                          .preemption = engine::preemption_cause(preemption.cause),
                          .yields_to = preemption.job,
                          .stop_by = now_ + seconds(30)});
    stopping_.push_back(preempted.job);
  }
  apply(PlacementNominated{preemption.job, std::move(nomination)});
}

void Town::let_leave() {
  now_ = now_ + seconds(1);
  for (const JobId job : std::exchange(stopping_, {})) {
    apply(AttemptEnded{.attempt = {job, jobs_.at(job).second}, .message = {}});
    apply(JobRequeued{.job = job, .cause = RetryCause::preempted});
  }
}

void Town::settle() {
  while (decide() || !stopping_.empty()) let_leave();
}

Node node(const std::string& name, int gpus, std::int64_t cpus) {
  Node node{.name = name, .cluster = "lab", .gpu_type = gpus > 0 ? "h100" : "", .cpus = cpus * kMilli};
  for (int gpu = 0; gpu < gpus; ++gpu) node.devices.push_back({.id = std::to_string(gpu)});
  return node;
}

const Job& add_job(Tables& tables, JobSpec spec) {
  Job job;
  job.id = {++tables.last_id};
  job.name = spec.name;
  job.queue = spec.queue;
  job.owner = "ann";
  job.priority = spec.priority;
  job.state = JobState::queued;
  job.pending = ReasonCode::pending_evaluation;
  job.submitted_at = job.waits_since = Instant{static_cast<std::int64_t>(job.id.value)} + hours(97);
  job.spec = std::make_shared<const JobSpec>(std::move(spec));
  return tables.jobs.emplace(job.id, std::move(job)).first->second;
}

void run(Tables& tables, Job job, const std::vector<std::string>& nodes, int first_device) {
  job.state = JobState::running;
  job.pending.reset();
  job.attempts = 1;
  Attempt attempt{.job = job.id, .number = 1, .state = AttemptState::running, .cluster = "lab", .queue = job.queue};
  attempt.flavor = "default";
  attempt.admitted_at = job.submitted_at;
  attempt.started_at = job.submitted_at;
  for (const auto& name : nodes) {
    TaskPlacement task{.task = static_cast<std::int32_t>(attempt.placement.size()), .node = name, .devices = {}};
    for (std::int64_t gpu = 0; gpu < job.spec->resources.gpus / kMilli; ++gpu)
      task.devices.push_back(std::to_string(first_device + gpu));
    attempt.placement.push_back(std::move(task));
  }
  attempt.tasks.resize(attempt.placement.size());
  tables.attempts.insert_or_assign(attempt.key(), std::move(attempt));
  tables.jobs.insert_or_assign(job.id, job);
}

}  // namespace ym::bench
