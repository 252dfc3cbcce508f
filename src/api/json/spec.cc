#include "api/json/render.h"
#include "spec/warnings.h"

namespace ym::api {
namespace {

// The largest unit that holds the amount exactly: format_bytes rounds, this must not.
void write_exact_bytes(JsonWriter& json, std::int64_t bytes) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kUnits{
      {{kGiB, "GiB"}, {kGiB >> 10, "MiB"}, {kGiB >> 20, "KiB"}, {1, "B"}}};
  for (const auto& [unit, name] : kUnits) {
    if (bytes >= unit && bytes % unit == 0) {
      json.value(fmt::format("{}{}", bytes / unit, name));
      return;
    }
  }
  json.value(bytes);
}

void write_strings(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

void write_map(JsonWriter& json, const std::map<std::string, std::string>& map) {
  json.begin_object();
  for (const auto& [name, text] : map) json.field(name, text);
  json.end_object();
}

void write_run(JsonWriter& json, const Program& run) {
  json.key("run");
  if (run.form == Program::Form::shell) json.value(run.words.front());
  else write_strings(json, run.words);
}

void write_nodes(JsonWriter& json, const JobSpec& spec) {
  json.key("nodes");
  if (spec.min_nodes) json.begin_object().field("min", *spec.min_nodes).field("max", spec.nodes).end_object();
  else json.value(spec.nodes);
}

// "h100:8 | a100:8"; without a type the amount alone.
std::string with_types(const TaskResources& resources, const std::string& amount) {
  if (resources.gpu_type.empty()) return amount;
  std::string text = resources.gpu_type + ":" + amount;
  for (const auto& type : resources.other_gpu_types) text += fmt::format(" | {}:{}", type, amount);
  return text;
}

// As in the job file.
void write_gpus(JsonWriter& json, const TaskResources& resources) {
  if (!resources.profile.empty()) {
    json.field("mig", with_types(resources, fmt::format("{}:{}", resources.profile, resources.slices)));
    return;
  }
  json.key(resources.shares_gpu() ? "gpu_share" : "gpus");
  if (resources.gpu_type.empty()) json.thousandths(resources.gpus);
  else json.value(with_types(resources, format_thousandths(resources.gpus)));
  if (resources.shares_gpu()) write_exact_bytes(json.key("gpu_memory"), resources.gpu_memory_bytes);
}

void write_resources(JsonWriter& json, const TaskResources& resources) {
  json.key("resources").begin_object();
  write_gpus(json, resources);
  json.key("cpus").thousandths(resources.cpus);
  write_exact_bytes(json.key("memory"), resources.memory_bytes);
  write_exact_bytes(json.key("shm"), resources.shm_bytes);
  json.end_object();
}

void write_groups(JsonWriter& json, const std::vector<TaskGroup>& groups) {
  json.key("groups").begin_array();
  for (const TaskGroup& group : groups) {
    json.begin_object();
    json.field("name", group.name);
    json.field("nodes", group.nodes);
    write_resources(json, group.resources);
    write_run(json, group.run);
    json.field("launcher", to_string(group.launcher));
    write_map(json.key("env"), group.env);
    json.end_object();
  }
  json.end_array();
}

// As in the job file: of one with groups each says its own.
void write_tasks(JsonWriter& json, const JobSpec& spec) {
  if (!spec.groups.empty()) return write_groups(json, spec.groups);
  write_nodes(json, spec);
  write_resources(json, spec.resources);
}

void write_retry(JsonWriter& json, const RetryPolicy& retry) {
  json.key("retry").begin_object();
  json.key("infra").begin_object().field("max", retry.infra_max).end_object();
  json.key("error").begin_object().field("max", retry.error_max).end_object();
  json.key("preempted").begin_object().key("max");
  if (retry.preempted_max == RetryPolicy::kUnlimited) json.value("unlimited");
  else json.value(retry.preempted_max);
  json.end_object();
  json.field("backoff", to_string(retry.backoff));
  json.field("backoff_max", to_string(retry.backoff_max));
  json.end_object();
}

void write_levels(JsonWriter& json, const PlacementRules& rules) {
  if (rules.required_level.empty() && rules.preferred_level.empty() && !rules.slice) return;
  json.key("topology").begin_object();
  if (!rules.required_level.empty()) json.field("required", rules.required_level);
  if (!rules.preferred_level.empty()) json.field("preferred", rules.preferred_level);
  if (rules.slice)
    json.key("slice").begin_object().field("level", rules.slice->level).field("nodes", rules.slice->nodes).end_object();
  json.end_object();
}

void write_rules(JsonWriter& json, const JobSpec& spec) {
  json.key("placement").begin_object();
  write_map(json.key("select"), spec.placement.select);
  write_strings(json.key("exclude"), spec.placement.exclude);
  write_levels(json, spec.placement);
  if (spec.placement.anchor > 0) json.field("anchor", spec.placement.anchor);
  json.end_object();
  json.key("preemption").begin_object();
  json.field("allow", spec.stop.preemptible);
  json.field("signal", spec.stop.signal);
  json.field("grace", to_string(spec.stop.grace));
  json.field("min_runtime", to_string(spec.stop.min_runtime));
  json.end_object();
}

void write_array(JsonWriter& json, const JobSpec& spec) {
  if (!spec.array) return;
  json.key("array");
  if (spec.array_parallel)
    json.begin_object().field("count", *spec.array).field("parallel", *spec.array_parallel).end_object();
  else json.value(*spec.array);
}

void write_checkpoint(JsonWriter& json, const CheckpointRules& checkpoint) {
  if (checkpoint == CheckpointRules{}) return;
  json.key("checkpoint").begin_object();
  if (!checkpoint.dir.empty()) json.field("dir", checkpoint.dir);
  if (checkpoint.every) json.field("every", to_string(*checkpoint.every));
  if (checkpoint.expect_save) json.field("expect_save", to_string(*checkpoint.expect_save));
  json.end_object();
}

}  // namespace

void write_spec(JsonWriter& json, const JobSpec& spec) {
  json.begin_object();
  json.field("name", spec.name);
  write_run(json, spec.run);
  json.field("workdir", spec.workdir);
  if (!spec.image.empty()) json.field("image", spec.image);
  json.field("project", spec.project);
  if (!spec.queue.empty()) json.field("queue", spec.queue);
  json.field("priority", spec.priority);
  write_tasks(json, spec);
  json.field("launcher", to_string(spec.launcher));
  write_map(json.key("env"), spec.env);
  if (spec.time_limit) json.field("time_limit", to_string(*spec.time_limit));
  if (spec.deadline) json.field("deadline", *spec.deadline);
  write_retry(json, spec.retry);
  write_rules(json, spec);
  write_checkpoint(json, spec.checkpoint);
  write_array(json, spec);
  json.end_object();
}

void write_warnings(JsonWriter& json, const JobSpec& spec, std::span<const std::string> more) {
  auto warnings = warnings_of(spec);
  warnings.insert(warnings.end(), more.begin(), more.end());
  write_warnings(json, warnings);
}

void write_warnings(JsonWriter& json, const std::vector<std::string>& warnings) {
  if (!warnings.empty()) write_strings(json.key("warnings"), warnings);
}

void write_spec_summary(JsonWriter& json, const JobSpec& spec) {
  json.begin_object();
  write_nodes(json, spec);
  write_resources(json, spec.resources);
  if (!spec.groups.empty()) json.key("gpus").thousandths(spec.total()[ResourceKind::gpus]);
  json.end_object();
}

}  // namespace ym::api
