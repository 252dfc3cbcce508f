#include "spec/tasks.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/gpu_request.h"
#include "spec/program.h"
#include "spec/quantities.h"

namespace ym::spec {
namespace {

// What a gang may take of one kind in all: sums over gangs then stay far from overflow.
constexpr std::int64_t kMaxGangBytes = std::int64_t{1} << 53;

TaskGroup read_group(const Field& field, const JobSpec& job) {
  TaskGroup group{.resources = job.resources, .run = job.run, .launcher = job.launcher};
  MapReader map(field);
  if (auto name = map.require("name", "write what the group is called, for example learners"))
    assign(group.name, read_name(*name));
  if (auto nodes = map.find("nodes"))
    if (const auto read = read_whole_number(*nodes, 1, kMaxNodes)) group.nodes = static_cast<std::int32_t>(*read);
  if (auto resources = map.find("resources")) {
    group.resources = {.cpus = kMilli};
    read_resources(*resources, group.resources);
  }
  if (auto run = map.find("run")) assign(group.run, read_program(*run));
  else if (job.run.words.empty()) field.wrong("has nothing to run; write run here, or at the job for all groups");
  if (auto launcher = map.find("launcher")) assign(group.launcher, read_launcher(*launcher));
  if (auto env = map.find("env")) assign(group.env, read_environment(*env));
  map.finish();
  if (!group.resources.other_gpu_types.empty())
    field.wrong("asks for GPUs of one type or another; a group names one type, or none and any flavor will do");
  return group;
}

void check_rules(const Field& field, const PlacementRules& rules) {
  if (rules.anchor > 0) field.wrong("do not go together with placement.anchor; that is for gangs of equal tasks");
  if (rules.slice) field.wrong("do not go together with placement.topology.slice; that is for gangs of equal tasks");
}

}  // namespace

void read_resources(const Field& field, TaskResources& resources) {
  MapReader map(field);
  read_gpu_request(map, resources);
  resources.cpus = std::max(kMilli, resources.gpus);
  if (auto cpus = map.find("cpus")) assign(resources.cpus, read_cpus(*cpus));
  if (auto memory = map.find("memory")) assign(resources.memory_bytes, read_size(*memory));
  if (auto shm = map.find("shm")) assign(resources.shm_bytes, read_size(*shm));
  map.finish();
}

std::optional<Launcher> read_launcher(const Field& field) {
  const auto text = read_string(field);
  if (!text) return std::nullopt;
  const auto launcher = parse_launcher(*text);
  if (!launcher) field.wrong(fmt::format("{} is not a launcher; write none or torchrun", quoted(*text)));
  return launcher;
}

void read_groups(const Field& field, JobSpec& spec) {
  const auto items = read_list(field, "groups");
  if (!items) return;
  if (items->size() < 2 || items->size() > kMostGroups)
    return field.wrong(
        fmt::format("must be 2 to {} groups, not {}; tasks that are all alike need none", kMostGroups, items->size()));
  std::int64_t nodes = 0;
  for (const Field& item : *items) {
    TaskGroup group = read_group(item, spec);
    if (!group.name.empty() && std::ranges::find(spec.groups, group.name, &TaskGroup::name) != spec.groups.end())
      item.wrong(fmt::format("has the name {}, which another group has", quoted(group.name)));
    nodes += group.nodes;
    spec.groups.push_back(std::move(group));
  }
  if (nodes > kMaxNodes) field.wrong(fmt::format("have {} nodes in all; at most {} are possible", nodes, kMaxNodes));
  else spec.nodes = static_cast<std::int32_t>(nodes);
  spec.resources = {};
  if (spec.run.words.empty()) spec.run = spec.groups.front().run;
  check_rules(field, spec.placement);
}

void check_totals(const Field& job, const JobSpec& spec) {
  // Without a sum that could overflow: what is left of the most that may be.
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
        fmt::format("{} nodes with that much memory are more than can be counted (at most 8PiB in all)", spec.nodes));
}

}  // namespace ym::spec
