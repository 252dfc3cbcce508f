// What the read model counts as events come.
#include <algorithm>
#include <utility>

#include "control/read_model.h"

namespace ym {

void ReadModel::count(const JobView& view, std::int64_t change) {
  counters_.jobs[{view.job->state, view.job->queue}] += change;
  if (view.job->pending) {
    counters_.unadmitted[{view.job->queue, std::string(to_string(*view.job->pending))}] += change;
  }
}

bool ReadModel::is_drained(std::string queue) const {
  for (std::size_t steps = 0; queues_.contains(queue) && steps <= queues_.size(); ++steps) {
    if (queues_.at(queue).stop == StopPolicy::hold_and_drain) return true;
    queue = queues_.at(queue).parent;
  }
  return false;
}

// As far as the attempt's row tells. Within a queue it is by priority; another queue can only take back what it lent,
// or borrow what is lent.
std::string ReadModel::cause_of_stop(const std::string& queue, const std::optional<JobId>& yields_to) const {
  if (!yields_to) return is_drained(queue) ? "drain" : "shrink";
  const auto preemptor = jobs_.find(*yields_to);
  return preemptor != jobs_.end() && preemptor->second->job->queue != queue ? "reclaim" : "priority";
}

// For nobody: it goes on with more nodes, its queue is drained, or its quota was made smaller.
void ReadModel::count_preemption(const AttemptStopping& stopping) {
  const auto victim = jobs_.find(stopping.attempt.job);
  if (stopping.cause != StopCause::preemption || victim == jobs_.end()) return;
  const auto& queue = victim->second->job->queue;
  const auto attempt = live_attempts_.find(stopping.attempt);
  const bool grows =
      attempt != live_attempts_.end() && std::cmp_greater(stopping.resizes_to, attempt->second.placement.size());
  std::string cause = cause_of_stop(queue, stopping.yields_to);
  if (!stopping.yields_to) cause = grows && cause == "shrink" ? "resize" : cause;
  else if (stopping.moves) cause = "consolidation";
  else if (stopping.borrowed) cause = "borrow";
  counters_.preemptions[{queue, cause}] += 1;
  counters_.estimated_lost_gpu_ms[cause] += stopping.estimated_lost_gpu_ms;
  stop_causes_.try_emplace(stopping.attempt, std::move(cause));
}

// Of one that was told to make room the cause that was counted then; of one that was told before a restart of the
// server the one that its row tells; of any other whose failure ended it.
std::string ReadModel::cause_of_loss(AttemptKey key, EndedBy by, const Attempt* row) const {
  if (const auto told = stop_causes_.find(key); told != stop_causes_.end()) return told->second;
  const auto job = jobs_.find(key.job);
  const bool preempted = by == EndedBy::preempted || (row && row->stop_cause == StopCause::preemption);
  if (preempted && job != jobs_.end())
    return cause_of_stop(job->second->job->queue, row ? row->yields_to : std::nullopt);
  return by == EndedBy::lost || by == EndedBy::start_failed ? "infra" : "error";
}

void ReadModel::count_losses(const EventPayload& payload, const Tables& tables) {
  const auto lose = [&](AttemptKey key, std::optional<EndedBy> by, std::int64_t gpu_ms) {
    const auto it = tables.attempts.find(key);
    const Attempt* row = it == tables.attempts.end() ? nullptr : &it->second;
    if (!by && row) by = row->ended_by;
    counters_.lost_gpu_ms[cause_of_loss(key, by.value_or(EndedBy::exit), row)] += gpu_ms;
  };
  if (const auto* ended = std::get_if<AttemptEnded>(&payload); ended && ended->lost_gpu_ms)
    lose(ended->attempt, ended->by, *ended->lost_gpu_ms);
  if (const auto* skipped = std::get_if<CheckpointSkipped>(&payload))
    for (const FurtherLoss& more : skipped->further_losses) lose({skipped->job, more.attempt}, {}, more.gpu_ms);
}

void ReadModel::count_deadline(const JobFinished& finished, Instant now) {
  const auto it = jobs_.find(finished.job);
  if (it == jobs_.end() || finished.state == JobState::cancelled) return;
  const Job& job = it->second->job;
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
  const Job& job = it->second->job;
  // In the same commit it may have been requeued already.
  const Duration waited = std::max(Duration{0}, now - job.waits_since);
  counters_.admission_waits[job.queue].add(static_cast<double>(waited.ms) / 1000);
  if (const auto within = promised(job)) counters_.wait_promises[{job.queue, waited <= *within}] += 1;
}

}  // namespace ym
