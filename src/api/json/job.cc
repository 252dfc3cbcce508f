#include "api/json/render.h"

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

void write_placement(JsonWriter& json, const std::vector<TaskPlacement>& placement) {
  json.key("placement").begin_array();
  for (const auto& task : placement) {
    json.begin_object().field("task", task.task).field("node", task.node);
    json.key("devices").begin_array();
    for (const auto& device : task.devices) json.value(device);
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

void write_attempt(JsonWriter& json, const Attempt& attempt) {
  json.begin_object();
  json.field("number", attempt.number);
  json.field("state", to_string(attempt.state));
  json.field("cluster", attempt.cluster);
  json.field("flavor", attempt.flavor);
  write_placement(json, attempt.placement);
  json.field("started_at", attempt.started_at);
  json.field("ended_at", attempt.ended_at);
  json.field("exit_code", attempt.exit_code);
  json.field("signal", attempt.signal);
  json.key("ended_by");
  if (attempt.ended_by) json.value(to_string(*attempt.ended_by));
  else json.value(nullptr);
  json.field("message", attempt.message);
  // Nothing reports checkpoints yet, so what an attempt lost is not known.
  json.field("checkpoint_step", nullptr);
  json.field("lost_gpu_seconds", nullptr);
  json.end_object();
}

void write_job(JsonWriter& json, const Job& job, std::span<const Attempt> attempts, SpecDetail detail) {
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
  json.key("attempts").begin_array();
  for (const auto& attempt : attempts) write_attempt(json, attempt);
  json.end_array();
  json.key("spec");
  switch (detail) {
    case SpecDetail::full: write_spec(json, *job.spec); break;
    case SpecDetail::summary: write_spec_summary(json, *job.spec); break;
    case SpecDetail::none: json.value(nullptr); break;
  }
  json.end_object();
}

}  // namespace ym::api
