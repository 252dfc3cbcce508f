#include "sim/simulate/recorder.h"

#include <algorithm>
#include <iterator>

namespace ym::sim {

void Recorder::follow(const Committed& committed, const Tables& tables) {
  for (const auto& event : *committed.events) {
    timeline_.advance_to(std::max(event.time, timeline_.began()));
    follow(event, tables);
  }
}

void Recorder::name(JobId job, const std::string& trace_id, Duration run_time) {
  JobRecord& record = live_.at(job);
  record.trace_id = trace_id;
  record.run_time = run_time;
}

void Recorder::can_never_run(JobId job, Instant at) {
  never_run_.insert(job);
  change_waiting(at, 0);
}

const Timeline& Recorder::timeline(Instant now) {
  timeline_.advance_to(now);
  return timeline_;
}

void Recorder::begin(Instant at, std::int64_t gpu_milli) {
  gpus_milli_ = gpu_milli;
  timeline_.begin(at);
}

void Recorder::change_waiting(Instant at, int jobs) {
  waiting_ += jobs;
  idle_while_waiting_.set(at, waiting_ > std::ssize(never_run_) ? gpus_milli_ - used_.level : 0);
  timeline_.change("waiting", jobs);
  timeline_.set("idle while waiting", idle_while_waiting_.level);
}

void Recorder::change_running(Instant at, const std::string& queue, std::int64_t milli, int jobs) {
  used_.set(at, used_.level + milli * jobs);
  timeline_.change("running", jobs);
  timeline_.change("gpus", milli * jobs);
  timeline_.change("gpus " + queue, milli * jobs);
  scattered_.set(at, occupancy_.scattered_milli());
  timeline_.set("scattered", scattered_.level);
  change_waiting(at, -jobs);
}

Recorder::Idle Recorder::idle(Instant now) const {
  return {.scattered_gpu_ms = scattered_.total(now) / kMilli,
          .while_waiting_gpu_ms = idle_while_waiting_.total(now) / kMilli};
}

std::int64_t Recorder::cost_micros(Instant now) const {
  std::int64_t cost = cost_micros_;
  for (const auto& [attempt, held] : held_) cost += cost_of(held, now);
  return cost;
}

std::int64_t Recorder::cost_of(const Held& held, Instant now) {
  return held.started ? ym::cost_of(kMilli, now - *held.started, held.price_micros).money_micros : 0;
}

void Recorder::submitted(const Job& job, Instant at) {
  change_waiting(at, +1);
  live_.emplace(job.id, JobRecord{.id = job.id,
                                  .user = job.owner,
                                  .queue = job.queue,
                                  .gpu_milli = job.spec->total()[ResourceKind::gpus],
                                  .nodes = job.spec->nodes,
                                  .priority = job.spec->priority,
                                  .submitted_at = job.submitted_at,
                                  .deadline = job.spec->deadline});
}

void Recorder::admitted(const Attempt& attempt, Instant at, const Tables& tables) {
  const Job& job = tables.jobs.at(attempt.job);
  Held held{.since = at,
            .started = {},
            .milli = job.spec->total(static_cast<std::int64_t>(attempt.placement.size()))[ResourceKind::gpus],
            .holding = occupancy_.take(attempt, *job.spec, tables)};
  for (const UsageEntry& part : usage_of(attempt, job)) {
    const auto flavor = tables.flavors.find(part.flavor);
    if (flavor == tables.flavors.end()) continue;
    held.price_micros +=
        ym::cost_of(part.amounts[ResourceKind::gpus], hours(1), flavor->second.price_micros_per_gpu_hour).money_micros;
  }
  never_run_.erase(attempt.job);
  change_running(at, job.queue, held.milli, +1);
  held_.emplace(attempt.key(), std::move(held));
  live_.at(attempt.job).attempts += 1;
}

void Recorder::ended(AttemptKey attempt, Instant at) {
  const auto held = held_.extract(attempt).mapped();
  JobRecord& record = live_.at(attempt.job);
  occupancy_.give_back(held.holding);
  change_running(at, record.queue, held.milli, -1);
  record.used_gpu_ms += held.milli * (at - held.since).ms / kMilli;
  const std::int64_t cost = cost_of(held, at);
  record.cost_micros += cost;
  cost_micros_ += cost;
}

void Recorder::finished(const JobFinished& finished, Instant at) {
  auto record = live_.extract(finished.job).mapped();
  never_run_.erase(finished.job);
  change_waiting(at, -1);
  idle_at_last_end_ = idle(at);
  record.state = finished.state;
  record.ended_at = at;
  const bool to_its_end = finished.state == JobState::succeeded || finished.state == JobState::failed;
  const auto needed = record.gpu_milli * record.run_time.ms / kMilli;
  if (to_its_end) record.lost_gpu_ms = std::max<std::int64_t>(0, record.used_gpu_ms - needed);
  on_end_(record);
}

void Recorder::follow(const Event& event, const Tables& tables) {
  if (const auto* job = std::get_if<JobSubmitted>(&event.payload)) return submitted(job->job, event.time);
  if (const auto* attempt = std::get_if<AttemptAdmitted>(&event.payload))
    return admitted(attempt->attempt, event.time, tables);
  if (const auto* attempt = std::get_if<AttemptEnded>(&event.payload)) return ended(attempt->attempt, event.time);
  if (const auto* job = std::get_if<JobFinished>(&event.payload)) return finished(*job, event.time);
  if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
    held_.at(started->attempt).started = event.time;
    auto& record = live_.at(started->attempt.job);
    if (!record.started_at) record.started_at = event.time;
  } else if (const auto* stopping = std::get_if<AttemptStopping>(&event.payload)) {
    live_.at(stopping->attempt.job).preemptions += stopping->is_counted_as_preemption();
  }
}

}  // namespace ym::sim
