#include "model/job_spec.h"

namespace ym {

ResourceVector TaskResources::vector() const {
  ResourceVector v;
  v[ResourceKind::gpus] = gpus;
  v[ResourceKind::cpus] = cpus;
  v[ResourceKind::memory] = memory_bytes;
  return v;
}

ResourceVector JobSpec::total(std::int64_t tasks) const {
  if (groups.empty()) return resources.vector() * tasks;
  ResourceVector sum;
  for (const TaskGroup& group : groups) sum += group.resources.vector() * group.nodes;
  return sum;
}

const TaskGroup* JobSpec::group_of(std::int32_t task) const {
  for (const TaskGroup& group : groups) {
    if (task < group.nodes) return &group;
    task -= group.nodes;
  }
  return nullptr;
}

const TaskResources& JobSpec::resources_of(std::int32_t task) const {
  const TaskGroup* group = group_of(task);
  return group ? group->resources : resources;
}

Launcher JobSpec::launcher_of(std::int32_t task) const {
  const TaskGroup* group = group_of(task);
  return group ? group->launcher : launcher;
}

JobSpec JobSpec::of_group(std::size_t group) const {
  const TaskGroup& own = groups.at(group);
  JobSpec spec = *this;
  spec.groups.clear();
  spec.nodes = own.nodes;
  spec.resources = own.resources;
  spec.run = own.run;
  spec.launcher = own.launcher;
  for (const auto& variable : own.env) spec.env[variable.first] = variable.second;
  return spec;
}

}  // namespace ym
