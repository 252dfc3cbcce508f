#include "spec/job/job_decoder.h"

#include <fmt/format.h>

#include "spec/job/identity.h"
#include "spec/job/program.h"
#include "spec/job/tasks.h"
#include "spec/keys/read_job.h"
#include "spec/text/text_check.h"

namespace ym::spec {
namespace {

constexpr std::size_t kMaxPath = 4'095;

// Precondition: placement and nodes are read.
void check_slice(const Field& field, const JobSpec& spec) {
  const auto& slice = spec.placement->slice;
  if (!slice) return;
  for (const std::int32_t nodes : {spec.smallest(), spec.nodes})
    if (nodes % slice->nodes != 0)
      return field.wrong(fmt::format("slice size {} does not divide the job's {} nodes", slice->nodes, nodes));
}

// Precondition: placement and nodes are read.
void check_anchor(const Field& field, const JobSpec& spec) {
  const std::int32_t anchor = spec.placement->anchor;
  if (anchor == 0) return;
  if (anchor > spec.smallest())
    field.wrong(fmt::format("anchor is {} nodes, but the job may have only {}; write at most {}", anchor,
                            spec.smallest(), spec.smallest()));
  else if (spec.placement->slice)
    field.wrong("has an anchor and slices; all nodes of a gang in slices have one flavor");
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

void refuse_what_is_to_come(MapReader& map) {
  map.not_offered_yet("secrets", "let the program read a file that only your user may read");
  map.not_offered_yet("sweep", "write array: N, and let the program choose by YM_ARRAY_INDEX");
  map.not_offered_yet("steps", "submit the steps one after another, with ym wait in between");
  map.not_offered_yet("schedule", "let cron call ym submit");
}

}  // namespace

JobSpec read_job(const Field& field, const SubmitDefaults& defaults) {
  JobSpec spec{.queue = {}};  // the queue then depends on the job's user and on the existing queues
  spec.resources.cpus = kMilli;
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return spec;
  keys::read_keys(map, spec);
  if (const auto resources = map.find("resources"))
    keys::read_into(*resources, spec.resources, keys::MapOf<TaskResources>{});
  read_workdir(map, field, defaults, spec);
  const auto groups = map.find("groups"), nodes = map.find("nodes"), placement = map.find("placement");
  // A group may set its own.
  if (!groups) map.require("run", "write what to run, for example [python, train.py]");
  if (groups && nodes) nodes->wrong("is for jobs without groups; write the number of nodes in each group");
  if (placement && !groups) check_slice(*placement, spec);
  if (placement && !groups) check_anchor(*placement, spec);
  if (groups) read_groups(*groups, spec);
  if (spec.name.empty() && !spec.run.words.empty()) spec.name = name_of(spec.run);
  check_name(field, spec);
  refuse_what_is_to_come(map);
  map.finish();
  check_totals(field, spec);
  return spec;
}

}  // namespace ym::spec
