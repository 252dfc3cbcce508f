#include "sim/simulate/recorder.h"

#include <algorithm>

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

const Timeline& Recorder::timeline(Instant now) {
  timeline_.advance_to(now);
  return timeline_;
}

void Recorder::change_running(Instant at, const std::string& queue, std::int64_t milli, int jobs) {
  timeline_.change("running", jobs);
  timeline_.change("waiting", -jobs);
  timeline_.change("gpus", milli * jobs);
  timeline_.change("gpus " + queue, milli * jobs);
  used_gpu_us_ += running_milli_ * (at - counted_until_).ms;
  counted_until_ = at;
  running_milli_ += milli * jobs;
}

std::int64_t Recorder::used_gpu_ms(Instant now) const {
  return (used_gpu_us_ + running_milli_ * (now - counted_until_).ms) / kMilli;
}

void Recorder::follow(const Event& event, const Tables& tables) {
  if (const auto* submitted = std::get_if<JobSubmitted>(&event.payload)) {
    const Job& job = submitted->job;
    timeline_.change("waiting", 1);
    live_.emplace(job.id, JobRecord{.id = job.id,
                                    .user = job.owner,
                                    .queue = job.queue,
                                    .gpu_milli = job.spec->total()[ResourceKind::gpus],
                                    .nodes = job.spec->nodes,
                                    .submitted_at = job.submitted_at,
                                    .deadline = job.spec->deadline});
  } else if (const auto* admitted = std::get_if<AttemptAdmitted>(&event.payload)) {
    const Attempt& attempt = admitted->attempt;
    const auto milli = tables.jobs.at(attempt.job)
                           .spec->total(static_cast<std::int64_t>(attempt.placement.size()))[ResourceKind::gpus];
    held_.emplace(attempt.key(), Held{event.time, milli});
    change_running(event.time, tables.jobs.at(attempt.job).queue, milli, +1);
    live_.at(attempt.job).attempts += 1;
  } else if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
    auto& record = live_.at(started->attempt.job);
    if (!record.started_at) record.started_at = event.time;
  } else if (const auto* stopping = std::get_if<AttemptStopping>(&event.payload)) {
    auto& record = live_.at(stopping->attempt.job);
    record.preemptions += stopping->cause == StopCause::preemption;
  } else if (const auto* ended = std::get_if<AttemptEnded>(&event.payload)) {
    const auto held = held_.extract(ended->attempt).mapped();
    auto& record = live_.at(ended->attempt.job);
    change_running(event.time, record.queue, held.milli, -1);
    record.used_gpu_ms += held.milli * (event.time - held.since).ms / kMilli;
  } else if (const auto* finished = std::get_if<JobFinished>(&event.payload)) {
    auto record = live_.extract(finished->job).mapped();
    timeline_.change("waiting", -1);
    record.state = finished->state;
    record.ended_at = event.time;
    const bool to_its_end = finished->state == JobState::succeeded || finished->state == JobState::failed;
    const auto needed = record.gpu_milli * record.run_time.ms / kMilli;
    if (to_its_end) record.lost_gpu_ms = std::max<std::int64_t>(0, record.used_gpu_ms - needed);
    on_end_(record);
  }
}

}  // namespace ym::sim
