// The fields of a job's spec.
#pragma once

#include "model/job_spec.h"
#include "model/json/field.h"

namespace ym::json {

template <>
struct Fields<Program> {
  static constexpr std::tuple list{field("form", &Program::form), field("words", &Program::words)};
};
template <>
struct Fields<TaskResources> {
  static constexpr std::tuple list{field("gpus", &TaskResources::gpus),
                                   sparse("gpu_type", &TaskResources::gpu_type),
                                   field("cpus", &TaskResources::cpus),
                                   field("memory", &TaskResources::memory_bytes),
                                   sparse("shm", &TaskResources::shm_bytes),
                                   sparse("profile", &TaskResources::profile),
                                   sparse("slices", &TaskResources::slices),
                                   sparse("gpu_memory", &TaskResources::gpu_memory_bytes),
                                   sparse("other_gpu_types", &TaskResources::other_gpu_types)};
};
template <>
struct Fields<RetryPolicy> {
  static constexpr std::tuple list{
      field("infra_max", &RetryPolicy::infra_max),         field("error_max", &RetryPolicy::error_max),
      field("preempted_max", &RetryPolicy::preempted_max), field("backoff_ms", &RetryPolicy::backoff),
      field("backoff_max_ms", &RetryPolicy::backoff_max),
  };
};
template <>
struct Fields<SliceRule> {
  static constexpr std::tuple list{field("level", &SliceRule::level), field("nodes", &SliceRule::nodes)};
};
template <>
struct Fields<PlacementRules> {
  static constexpr std::tuple list{sparse("select", &PlacementRules::select),
                                   sparse("exclude", &PlacementRules::exclude),
                                   sparse("required_level", &PlacementRules::required_level),
                                   sparse("preferred_level", &PlacementRules::preferred_level),
                                   sparse("slice", &PlacementRules::slice),
                                   sparse("anchor", &PlacementRules::anchor)};
};
template <>
struct Fields<StopRules> {
  static constexpr std::tuple list{field("signal", &StopRules::signal), field("grace_ms", &StopRules::grace),
                                   added("preemptible", &StopRules::preemptible),
                                   added("min_runtime_ms", &StopRules::min_runtime)};
};
template <>
struct Fields<CheckpointRules> {
  static constexpr std::tuple list{field("dir", &CheckpointRules::dir), field("every_ms", &CheckpointRules::every),
                                   field("expect_save_ms", &CheckpointRules::expect_save)};
};
template <>
struct Fields<TaskGroup> {
  static constexpr std::tuple list{field("name", &TaskGroup::name),           field("nodes", &TaskGroup::nodes),
                                   field("resources", &TaskGroup::resources), field("run", &TaskGroup::run),
                                   field("launcher", &TaskGroup::launcher),   sparse("env", &TaskGroup::env)};
};
template <>
struct Fields<JobSpec> {
  static constexpr std::tuple list{
      field("name", &JobSpec::name),           field("project", &JobSpec::project),
      field("queue", &JobSpec::queue),         field("run", &JobSpec::run),
      field("workdir", &JobSpec::workdir),     sparse("workdir_left_out", &JobSpec::workdir_left_out),
      sparse("image", &JobSpec::image),        sparse("env", &JobSpec::env),
      field("nodes", &JobSpec::nodes),         added("min_nodes", &JobSpec::min_nodes),
      field("resources", &JobSpec::resources), field("launcher", &JobSpec::launcher),
      field("priority", &JobSpec::priority),   field("time_limit_ms", &JobSpec::time_limit),
      field("retry", &JobSpec::retry),         sparse("placement", &JobSpec::placement),
      field("stop", &JobSpec::stop),           sparse("checkpoint", &JobSpec::checkpoint),
      field("array", &JobSpec::array),         added("deadline", &JobSpec::deadline),
      sparse("groups", &JobSpec::groups),      sparse("array_parallel", &JobSpec::array_parallel),
  };
};

}  // namespace ym::json
