#include "api/json/render.h"

namespace ym::api {
namespace {

template <class Enum>
std::optional<std::string_view> name_of(const std::optional<Enum>& maybe) {
  return maybe ? std::optional(to_string(*maybe)) : std::nullopt;
}

void write_progress(JsonWriter& json, const Progress& progress) {
  json.begin_object();
  json.field("step", progress.step);
  json.field("total_steps", progress.total_steps);
  write_metrics(json.key("metrics"), progress.metrics);
  json.field("completed", progress.completed);
  json.field("at", progress.at);
  json.end_object();
}

void write_end(JsonWriter& json, const Attempt& attempt) {
  json.field("started_at", attempt.started_at);
  json.field("ended_at", attempt.ended_at);
  json.field("exit_code", attempt.exit_code);
  json.field("signal", attempt.signal);
  json.field("ended_by", name_of(attempt.ended_by));
  json.field("message", attempt.message);
}

// The worker that failed, if the launcher names one; else the task itself.
void write_failure(JsonWriter& json, const TaskExit& exit) {
  const auto& worker = exit.worker;
  json.field("ended_by", to_string(worker ? worker->signal ? EndedBy::signal : EndedBy::exit : exit.by));
  json.field("exit_code", worker ? worker->exit_code : exit.exit_code);
  json.field("signal", worker ? worker->signal : exit.signal);
  json.field("message", worker ? worker->message : exit.message);
}

void write_culprit(JsonWriter& json, const Attempt& attempt) {
  if (!attempt.culprit) return void(json.value(nullptr));
  const Culprit& culprit = *attempt.culprit;
  const auto at = static_cast<std::size_t>(culprit.task);
  json.begin_object().field("task", culprit.task).field("node", attempt.placement.at(at).node);
  json.field("rank", culprit.rank).field("certainty", to_string(culprit.sure));
  write_failure(json, attempt.tasks.at(at).exit.value());
  json.end_object();
}

// Why and until when it stops, the preempting job, and the lost GPU time: the estimate, and the final value once it is
// known.
void write_stop(JsonWriter& json, const Attempt& attempt) {
  json.field("stop_cause", name_of(attempt.stop_cause));
  json.field("preemption", name_of(attempt.preemption));
  json.field("stop_by", attempt.stop_by);
  json.field("yields_to", attempt.yields_to ? std::optional(to_string(*attempt.yields_to)) : std::nullopt);
  // There is an estimate only for a preemption.
  const bool preempted = attempt.stop_cause == StopCause::preemption;
  const auto estimated = preempted ? std::optional(attempt.estimated_lost_gpu_ms) : std::nullopt;
  json.key("lost_gpu_seconds").thousandths(attempt.lost_gpu_ms ? attempt.lost_gpu_ms : estimated);
  json.key("estimated_lost_gpu_seconds").thousandths(estimated);
}

}  // namespace

void write_placement(JsonWriter& json, const std::vector<TaskPlacement>& placement) {
  json.begin_array();
  for (const auto& task : placement) {
    json.begin_object().field("task", task.task).field("node", task.node);
    json.key("devices").begin_array();
    for (const auto& device : task.devices) json.value(device);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_attempt(JsonWriter& json, const Attempt& attempt, const Checkpoint* newest) {
  json.begin_object();
  json.field("number", attempt.number);
  json.field("state", to_string(attempt.state));
  json.field("cluster", attempt.cluster);
  json.field("flavor", attempt.flavor);
  write_placement(json.key("placement"), attempt.placement);
  write_end(json, attempt);
  write_culprit(json.key("culprit"), attempt);
  json.key("progress");
  if (attempt.progress) write_progress(json, *attempt.progress);
  else json.value(nullptr);
  json.key("resumes_from");
  if (attempt.resumes_from) write_checkpoint(json, *attempt.resumes_from);
  else json.value(nullptr);
  json.field("checkpoint_step", newest ? std::optional(newest->step) : std::nullopt);
  write_stop(json, attempt);
  json.end_object();
}

}  // namespace ym::api
