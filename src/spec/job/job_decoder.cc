#include "spec/job_decoder.h"

#include <fmt/format.h>

#include <limits>

#include "spec/identity.h"
#include "spec/interruption.h"
#include "spec/labels.h"
#include "spec/program.h"
#include "spec/quantities.h"
#include "spec/tasks.h"
#include "spec/text_check.h"

namespace ym::spec {
namespace {

constexpr std::int64_t kMaxRetries = 1'000;
constexpr std::size_t kMaxPath = 4'095;
constexpr Duration kLongestLimit = hours(365 * 24);

std::optional<std::int32_t> read_node_count(const Field& field) {
  const auto count = read_whole_number(field, 1, kMaxNodes);
  if (!count) return std::nullopt;
  return static_cast<std::int32_t>(*count);
}

// `nodes: 4`, or elastic: `nodes: {min: 2, max: 4}`.
void read_nodes(const Field& field, JobSpec& spec) {
  if (field.value->kind != Value::Kind::map) return assign(spec.nodes, read_node_count(field));
  MapReader map(field);
  const auto min = map.require("min", "write the fewest nodes that will do, for example {min: 2, max: 4}");
  const auto max = map.require("max", "write the most nodes that it can use, for example {min: 2, max: 4}");
  map.finish();
  const auto fewest = min ? read_node_count(*min) : std::nullopt;
  const auto most = max ? read_node_count(*max) : std::nullopt;
  if (!fewest || !most) return;
  if (*fewest > *most) return min->wrong(fmt::format("{} is more than max, which is {}", *fewest, *most));
  spec.nodes = *most;
  if (*fewest < *most) spec.min_nodes = fewest;
}

// `infra: {max: 3}` or, shorter, `infra: 3`.
void read_retry_limit(const Field& field, std::int32_t& limit, bool may_be_unlimited) {
  std::optional<MapReader> map;
  std::optional<Field> max = field;
  if (field.value->kind == Value::Kind::map) {
    map.emplace(field);
    max = map->find("max");
  }
  if (max && may_be_unlimited && max->value->text == "unlimited") {
    limit = RetryPolicy::kUnlimited;
  } else if (max) {
    if (auto count = read_whole_number(*max, 0, kMaxRetries)) limit = static_cast<std::int32_t>(*count);
  }
  if (map) map->finish();
}

void read_retry(const Field& field, RetryPolicy& retry) {
  MapReader map(field);
  if (auto infra = map.find("infra")) read_retry_limit(*infra, retry.infra_max, false);
  if (auto error = map.find("error")) read_retry_limit(*error, retry.error_max, false);
  if (auto preempted = map.find("preempted")) read_retry_limit(*preempted, retry.preempted_max, true);
  if (auto backoff = map.find("backoff")) assign(retry.backoff, read_duration(*backoff, Duration{100}, hours(1)));
  retry.backoff_max = std::max(retry.backoff_max, retry.backoff);
  if (auto longest = map.find("backoff_max")) {
    const auto read = read_duration(*longest, Duration{100}, hours(24));
    if (read && *read < retry.backoff)
      longest->wrong(fmt::format("is less than backoff, which is {}", to_string(retry.backoff)));
    assign(retry.backoff_max, read);
  }
  map.finish();
}

void read_slice(const Field& field, PlacementRules& rules) {
  SliceRule slice;
  MapReader map(field);
  if (auto level = map.require("level", "write the level that each slice is in one domain of, for example rack"))
    assign(slice.level, read_label_key(*level));
  if (auto nodes = map.require("nodes", "write of how many nodes a slice is"))
    if (const auto read = read_whole_number(*nodes, 1, kMaxNodes)) slice.nodes = static_cast<std::int32_t>(*read);
  map.finish();
  rules.slice = std::move(slice);
}

// Precondition: both are read.
void check_slice(const Field& field, const JobSpec& spec) {
  const auto& slice = spec.placement.slice;
  if (!slice) return;
  for (const std::int32_t nodes : {spec.smallest(), spec.nodes})
    if (nodes % slice->nodes != 0)
      return field.wrong(
          fmt::format("has slices of {} nodes, of which the job's {} are no multiple", slice->nodes, nodes));
}

// Precondition: both are read.
void check_anchor(const Field& field, const JobSpec& spec) {
  const std::int32_t anchor = spec.placement.anchor;
  if (anchor == 0) return;
  if (anchor > spec.smallest())
    field.wrong(fmt::format("has an anchor of {} nodes, and the job may have {}; write at most so many", anchor,
                            spec.smallest()));
  else if (spec.placement.slice) field.wrong("has an anchor and slices; a gang in slices is of one flavor");
}

void read_placement(const Field& field, PlacementRules& rules) {
  MapReader map(field);
  if (auto anchor = map.find("anchor"))
    if (const auto read = read_whole_number(*anchor, 0, kMaxNodes)) rules.anchor = static_cast<std::int32_t>(*read);
  if (auto select = map.find("select")) assign(rules.select, read_labels(*select));
  if (auto exclude = map.find("exclude")) assign(rules.exclude, read_node_names(*exclude));
  if (auto topology = map.find("topology")) {
    MapReader levels(*topology);
    if (auto level = levels.find("required")) assign(rules.required_level, read_label_key(*level));
    if (auto level = levels.find("preferred")) assign(rules.preferred_level, read_label_key(*level));
    if (auto slice = levels.find("slice")) read_slice(*slice, rules);
    levels.finish();
  }
  map.finish();
}

std::optional<std::string> checked_path(const Field& field) {
  auto path = read_string(field);
  if (!path) return std::nullopt;
  if (path->empty() || path->size() > kMaxPath || has_control_characters(*path)) {
    field.wrong("is not a path; write 1 to 4095 bytes without control characters");
    return std::nullopt;
  }
  if (!path->starts_with('~')) return path;
  field.wrong("'~' is not expanded here; write the whole path");
  return std::nullopt;
}

std::string join_path(const std::string& folder, const std::string& path) {
  if (path == ".") return folder;
  return folder + (folder.ends_with('/') ? "" : "/") + path;
}

void read_workdir(MapReader& map, const Field& job, const SubmitDefaults& defaults, JobSpec& spec) {
  const auto field = map.find("workdir");
  std::string& workdir = spec.workdir;
  workdir = defaults.workdir;
  spec.workdir_left_out = !field;
  if (!field && workdir.empty())
    job.problems->add(job.pointer + "/workdir", "is missing; write the absolute path of the folder to run in",
                      job.value->line);
  const auto path = field ? checked_path(*field) : std::nullopt;
  if (!path) return;
  if (path->starts_with('/')) workdir = *path;
  else if (workdir.empty()) field->wrong(fmt::format("{} must be an absolute path", quoted(*path)));
  else workdir = join_path(workdir, *path);
}

void read_limits(MapReader& map, JobSpec& spec) {
  if (auto priority = map.find("priority")) {
    const auto read = read_whole_number(*priority, 0, 100);
    if (read) spec.priority = static_cast<std::int32_t>(*read);
  }
  if (auto limit = map.find("time_limit")) spec.time_limit = read_duration(*limit, Duration{1}, kLongestLimit);
  if (auto deadline = map.find("deadline")) spec.deadline = read_time(*deadline);
  if (auto array = map.find("array")) read_array(*array, spec);
}

// As registries write it: names, ports, tags and digests; nothing that means more to whoever starts it.
std::optional<std::string> read_image(const Field& field) {
  constexpr std::size_t kLongest = 512;
  const auto text = read_string(field);
  if (!text) return std::nullopt;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("./:@_-").find(c) != std::string_view::npos;
  };
  const bool begins_well = !text->empty() && std::string_view("./:@_-").find(text->front()) == std::string_view::npos;
  if (begins_well && text->size() <= kLongest && std::ranges::all_of(*text, fits)) return text;
  field.wrong(fmt::format("{} is no image; write for example registry.example/team/pytorch:2.4", quoted(*text)));
  return std::nullopt;
}

}  // namespace

JobSpec read_job(const Field& field, const SubmitDefaults& defaults) {
  JobSpec spec;
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return spec;
  const auto run = map.find("run");
  if (run) assign(spec.run, read_program(*run));
  const auto groups = map.find("groups");
  // Each group may have its own.
  if (!run && !groups) map.require("run", "write what to run, for example [python, train.py]");
  read_identity(map, spec);
  read_workdir(map, field, defaults, spec);
  if (auto image = map.find("image")) assign(spec.image, read_image(*image));
  spec.resources.cpus = kMilli;
  if (auto resources = map.find("resources")) read_resources(*resources, spec.resources);
  if (auto nodes = map.find("nodes")) {
    if (groups) nodes->wrong("is for jobs without groups; write at each group how many nodes it has");
    else read_nodes(*nodes, spec);
  }
  if (auto launcher = map.find("launcher")) assign(spec.launcher, read_launcher(*launcher));
  if (auto env = map.find("env")) assign(spec.env, read_environment(*env));
  read_limits(map, spec);
  if (auto retry = map.find("retry")) read_retry(*retry, spec.retry);
  if (auto placement = map.find("placement")) {
    read_placement(*placement, spec.placement);
    if (!groups) check_slice(*placement, spec);
    if (!groups) check_anchor(*placement, spec);
  }
  if (auto preemption = map.find("preemption")) read_stop_rules(*preemption, spec.stop);
  if (auto checkpoint = map.find("checkpoint")) read_checkpoint_rules(*checkpoint, spec.checkpoint);
  if (groups) read_groups(*groups, spec);
  if (spec.name.empty() && !spec.run.words.empty()) spec.name = name_of(spec.run);
  check_name(field, spec);
  map.not_offered_yet("secrets", "let the program read a file that only your user may read");
  map.not_offered_yet("sweep", "write array: N, and choose by YM_ARRAY_INDEX");
  map.not_offered_yet("steps", "submit the steps one after another, with ym wait in between");
  map.not_offered_yet("schedule", "let cron call ym submit");
  map.finish();
  check_totals(field, spec);
  return spec;
}

}  // namespace ym::spec
