// ReadModel: counters that follow events.
#include <algorithm>
#include <utility>

#include "control/serve/read_model.h"

namespace ym {

void ReadModel::count(const JobView& view, std::int64_t change) {
  counters_.jobs[{view.job->state, view.job->queue}] += change;
  if (view.job->pending) {
    counters_.unadmitted[{view.job->queue, std::string(to_string(*view.job->pending))}] += change;
  }
}

void ReadModel::count_preemption(const AttemptStopping& stopping) {
  const auto preempted = jobs_.find(stopping.attempt.job);
  if (!stopping.preemption || preempted == jobs_.end()) return;
  counters_.preemptions[{preempted->second.job->queue, *stopping.preemption}] += 1;
  counters_.estimated_lost_gpu_ms[*stopping.preemption] += stopping.estimated_lost_gpu_ms;
  preemptions_.try_emplace(stopping.attempt, *stopping.preemption);
}

LossCause ReadModel::cause_of_loss(AttemptKey key, EndedBy by) const {
  if (const auto preempted = preemptions_.find(key); preempted != preemptions_.end()) return preempted->second;
  const bool failed_by_itself = by != EndedBy::lost && by != EndedBy::start_failed && by != EndedBy::preempted;
  return failed_by_itself ? RetryCause::error : RetryCause::infra;
}

void ReadModel::count_losses(const EventPayload& payload, const Tables& tables) {
  const auto lose = [&](AttemptKey key, std::optional<EndedBy> by, std::int64_t gpu_ms) {
    const auto it = tables.attempts.find(key);
    const Attempt* row = it == tables.attempts.end() ? nullptr : &it->second;
    if (!by && row) by = row->ended_by;
    counters_.lost_gpu_ms[cause_of_loss(key, by.value_or(EndedBy::exit))] += gpu_ms;
  };
  if (const auto* ended = std::get_if<AttemptEnded>(&payload); ended && ended->lost_gpu_ms)
    lose(ended->attempt, ended->by, *ended->lost_gpu_ms);
  if (const auto* skipped = std::get_if<CheckpointSkipped>(&payload))
    for (const FurtherLoss& more : skipped->further_losses) lose({skipped->job, more.attempt}, {}, more.gpu_ms);
}

void ReadModel::count_deadline(const JobFinished& finished, Instant now) {
  const auto it = jobs_.find(finished.job);
  if (it == jobs_.end() || finished.state == JobState::cancelled) return;
  const Job& job = it->second.job;
  const auto& deadline = job.spec->deadline;
  if (deadline) counters_.deadlines[{job.queue, finished.state == JobState::succeeded && now <= *deadline}] += 1;
}

std::optional<Duration> ReadModel::promised(const Job& job) const {
  const auto queue = queues_.find(job.queue);
  return queue == queues_.end() ? std::nullopt : promised_wait(queue->second, job.priority);
}

void ReadModel::count_admission(JobId id, Instant now) {
  counters_.attempts += 1;
  const auto it = jobs_.find(id);
  if (it == jobs_.end()) return;
  const Job& job = it->second.job;
  // The same commit may have requeued the job already.
  const Duration waited = std::max(Duration{0}, now - job.waits_since);
  counters_.admission_waits[job.queue].add(static_cast<double>(waited.ms) / 1000);
  if (const auto within = promised(job)) counters_.wait_promises[{job.queue, waited <= *within}] += 1;
}

}  // namespace ym
