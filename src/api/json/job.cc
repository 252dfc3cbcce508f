#include "api/json/render.h"
#include "model/risk.h"

namespace ym::api {
namespace {

void write_reason(JsonWriter& json, const Job& job) {
  json.key("reason");
  if (job.pending) json.value(to_string(*job.pending));
  else json.value(nullptr);
}

void write_group(JsonWriter& json, const Job& job) {
  json.key("group_id");
  if (job.group) json.value(to_string(*job.group));
  else json.value(nullptr);
  json.field("group_index", job.group_index);
}

// The newest known checkpoint that the attempt made: one of the job's, or one from which a later attempt resumed.
const Checkpoint* newest_of(const Job& job, std::span<const Shared<Attempt>> attempts, std::int32_t number) {
  const Checkpoint* newest = nullptr;
  const auto look_at = [&](const Checkpoint& checkpoint) {
    if (checkpoint.attempt != number) return;
    if (newest == nullptr || newest->durable_at < checkpoint.durable_at) newest = &checkpoint;
  };
  for (const auto& checkpoint : job.checkpoints) look_at(checkpoint);
  for (const Attempt& attempt : attempts)
    if (attempt.resumes_from) look_at(*attempt.resumes_from);
  return newest;
}

void write_attempts(JsonWriter& json, const Job& job, std::span<const Shared<Attempt>> attempts) {
  json.key("attempts").begin_array();
  for (const Attempt& attempt : attempts) write_attempt(json, attempt, newest_of(job, attempts, attempt.number));
  json.end_array();
}

// What the job would lose if it were stopped now; null unless its user code runs.
void write_risk(JsonWriter& json, const Job& job, std::span<const Shared<Attempt>> attempts, Instant now) {
  json.key("work_at_risk_gpu_seconds");
  const Attempt* live = attempts.empty() || !is_active(job.state) ? nullptr : &*attempts.back();
  if (live != nullptr && live->started_at && !live->ended_at) json.thousandths(gpu_ms_at_risk(job, *live, now));
  else json.value(nullptr);
}

void write_preemption(JsonWriter& json, const Job& job, std::span<const Shared<Attempt>> attempts, Instant now) {
  json.key("checkpoints").begin_array();
  for (const auto& checkpoint : job.checkpoints) write_checkpoint(json, checkpoint);
  json.end_array();
  write_risk(json, job, attempts, now);
  json.field("preemptions", std::ranges::count_if(attempts, [](const Attempt& attempt) {
               return attempt.ended_by == EndedBy::preempted;
             }));
  json.key("hold");
  if (job.nomination) write_nomination(json, *job.nomination);
  else json.value(nullptr);
}

}  // namespace

void write_predicted(JsonWriter& json, const PredictedRunTime& predicted) {
  json.begin_object();
  json.key("p10_seconds").thousandths(predicted.p10.ms);
  json.key("p50_seconds").thousandths(predicted.p50.ms);
  json.key("p90_seconds").thousandths(predicted.p90.ms);
  json.field("samples", predicted.samples).field("of_same_user", predicted.of_same_user);
  json.end_object();
}

void write_job(JsonWriter& json, const Job& job, std::span<const Shared<Attempt>> attempts, Instant now,
               SpecDetail detail, std::span<const std::string> more) {
  json.begin_object();
  json.field("id", to_string(job.id));
  json.field("name", job.name);
  json.field("user", job.owner);
  json.field("project", job.project);
  json.field("queue", job.queue);
  json.field("priority", job.priority);
  json.field("state", to_string(job.state));
  write_reason(json, job);
  json.field("message", job.message);
  write_group(json, job);
  json.field("submitted_at", job.submitted_at);
  json.field("started_at", job.started_at);
  json.field("ended_at", job.ended_at);
  json.key("predicted_run_time");
  if (job.predicted) write_predicted(json, *job.predicted);
  else json.value(nullptr);
  write_preemption(json, job, attempts, now);
  write_attempts(json, job, attempts);
  json.key("spec");
  switch (detail) {
    case SpecDetail::full: write_spec(json, *job.spec); break;
    case SpecDetail::summary: write_spec_summary(json, *job.spec); break;
    case SpecDetail::none: json.value(nullptr); break;
  }
  if (detail == SpecDetail::full) write_warnings(json, *job.spec, more);
  json.end_object();
}

}  // namespace ym::api
