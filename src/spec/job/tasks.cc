#include "spec/job/tasks.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/keys/read_job.h"

namespace ym::spec {
namespace {

// Upper bound of a gang for each kind of resource. It keeps sums over gangs far from overflow.
constexpr std::int64_t kMaxGangBytes = std::int64_t{1} << 53;

// The group takes keys that it leaves out from the job.
TaskGroup read_group(const Field& field, const JobSpec& job) {
  TaskGroup group{.resources = job.resources, .run = job.run, .launcher = job.launcher};
  MapReader map(field);
  if (map.find("resources")) group.resources = {.cpus = kMilli};
  keys::read_keys(map, group);
  if (!map.find("run") && job.run.words.empty())
    field.wrong("has no program; write run here, or at the job for all groups");
  map.finish();
  if (!group.resources.other_gpu_types.empty())
    field.wrong("has alternatives for the GPU type; a group names one type, or none to accept any flavor");
  return group;
}

void check_rules(const Field& field, const PlacementRules& rules) {
  if (rules.anchor > 0) field.wrong("cannot be used together with placement.anchor, which is for gangs of equal tasks");
  if (rules.slice)
    field.wrong("cannot be used together with placement.topology.slice, which is for gangs of equal tasks");
}

}  // namespace

void read_groups(const Field& field, JobSpec& spec) {
  const auto items = read_list(field, "groups");
  if (!items) return;
  if (items->size() < 2 || items->size() > kMostGroups)
    return field.wrong(
        fmt::format("must be 2 to {} groups, not {}; equal tasks need no groups", kMostGroups, items->size()));
  std::int64_t nodes = 0;
  for (const Field& item : *items) {
    TaskGroup group = read_group(item, spec);
    if (!group.name.empty() && std::ranges::find(spec.groups, group.name, &TaskGroup::name) != spec.groups.end())
      item.wrong(fmt::format("has the name {}, which another group has", quoted(group.name)));
    nodes += group.nodes;
    spec.groups.push_back(std::move(group));
  }
  if (nodes > keys::kMostNodes)
    field.wrong(fmt::format("have {} nodes in all; at most {} are possible", nodes, keys::kMostNodes));
  else spec.nodes = static_cast<std::int32_t>(nodes);
  spec.resources = {};
  if (spec.run.words.empty()) spec.run = spec.groups.front().run;
  check_rules(field, *spec.placement);
}

void check_totals(const Field& job, const JobSpec& spec) {
  // A division, because the product could overflow.
  const auto exceeds = [&](std::int64_t TaskResources::* bytes) {
    std::int64_t left = kMaxGangBytes;
    const auto take = [&](const TaskResources& each, std::int32_t nodes) {
      if (each.*bytes > left / nodes) return false;
      left -= each.*bytes * nodes;
      return true;
    };
    if (spec.groups.empty()) return !take(spec.resources, spec.nodes);
    return !std::ranges::all_of(spec.groups,
                                [&](const TaskGroup& group) { return take(group.resources, group.nodes); });
  };
  if (exceeds(&TaskResources::memory_bytes) || exceeds(&TaskResources::shm_bytes))
    job.wrong(
        fmt::format("requests more memory for its {} nodes than can be counted (at most 8PiB in all)", spec.nodes));
}

}  // namespace ym::spec
