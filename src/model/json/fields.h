// The fields of each row, listed once; encoding and decoding both walk these lists.
//
// A name written here is stored: it never changes and is never used again for
// something else. A field that is new is listed with `added`: rows written before it
// existed then decode to the member's default.
#pragma once

#include <string_view>
#include <tuple>

#include "model/event.h"

namespace ym::json {

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
  bool may_be_absent = false;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> added(std::string_view name, Member Owner::* member) {
  return {name, member, true};
}

template <class T>
struct Fields;

template <class T>
concept Described = requires { Fields<T>::list; };

// --- specs
template <>
struct Fields<Program> {
  static constexpr std::tuple list{field("form", &Program::form), field("words", &Program::words)};
};
template <>
struct Fields<TaskResources> {
  static constexpr std::tuple list{field("gpus", &TaskResources::gpus), field("gpu_type", &TaskResources::gpu_type),
                                   field("cpus", &TaskResources::cpus), field("memory", &TaskResources::memory_bytes),
                                   field("shm", &TaskResources::shm_bytes)};
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
struct Fields<PlacementRules> {
  static constexpr std::tuple list{field("select", &PlacementRules::select),
                                   field("exclude", &PlacementRules::exclude)};
};
template <>
struct Fields<StopRules> {
  static constexpr std::tuple list{field("signal", &StopRules::signal), field("grace_ms", &StopRules::grace)};
};
template <>
struct Fields<JobSpec> {
  static constexpr std::tuple list{
      field("name", &JobSpec::name),
      field("project", &JobSpec::project),
      field("queue", &JobSpec::queue),
      field("run", &JobSpec::run),
      field("workdir", &JobSpec::workdir),
      field("env", &JobSpec::env),
      field("nodes", &JobSpec::nodes),
      field("resources", &JobSpec::resources),
      field("launcher", &JobSpec::launcher),
      field("priority", &JobSpec::priority),
      field("time_limit_ms", &JobSpec::time_limit),
      field("retry", &JobSpec::retry),
      field("placement", &JobSpec::placement),
      field("stop", &JobSpec::stop),
      field("array", &JobSpec::array),
  };
};

// --- jobs and attempts
template <>
struct Fields<RetryCounts> {
  static constexpr std::tuple list{field("infra", &RetryCounts::infra), field("error", &RetryCounts::error),
                                   field("preempted", &RetryCounts::preempted)};
};
// All but `spec`, which is stored once for all jobs that share it.
template <>
struct Fields<Job> {
  static constexpr std::tuple list{
      field("id", &Job::id),
      field("spec_id", &Job::spec_id),
      field("group", &Job::group),
      field("group_index", &Job::group_index),
      field("depends_on", &Job::depends_on),
      field("name", &Job::name),
      field("project", &Job::project),
      field("owner", &Job::owner),
      field("run_as", &Job::run_as),
      field("queue", &Job::queue),
      field("priority", &Job::priority),
      field("state", &Job::state),
      field("pending", &Job::pending),
      field("message", &Job::message),
      field("cancel_requested", &Job::cancel_requested),
      field("submitted_at", &Job::submitted_at),
      field("started_at", &Job::started_at),
      field("ended_at", &Job::ended_at),
      field("not_before", &Job::not_before),
      field("attempts", &Job::attempts),
      field("retries", &Job::retries),
  };
};
template <>
struct Fields<TaskPlacement> {
  static constexpr std::tuple list{field("task", &TaskPlacement::task), field("node", &TaskPlacement::node),
                                   field("devices", &TaskPlacement::devices)};
};
template <>
struct Fields<TaskExit> {
  static constexpr std::tuple list{field("by", &TaskExit::by),
                                   field("exit_code", &TaskExit::exit_code),
                                   field("signal", &TaskExit::signal),
                                   field("message", &TaskExit::message),
                                   field("permanent", &TaskExit::permanent),
                                   field("forced", &TaskExit::forced),
                                   field("at", &TaskExit::at)};
};
template <>
struct Fields<TaskStatus> {
  static constexpr std::tuple list{field("state", &TaskStatus::state), field("exit", &TaskStatus::exit)};
};
template <>
struct Fields<Attempt> {
  static constexpr std::tuple list{
      field("job", &Attempt::job),
      field("number", &Attempt::number),
      field("epoch", &Attempt::epoch),
      field("state", &Attempt::state),
      field("cluster", &Attempt::cluster),
      field("queue", &Attempt::queue),
      field("flavor", &Attempt::flavor),
      field("placement", &Attempt::placement),
      field("tasks", &Attempt::tasks),
      field("admitted_at", &Attempt::admitted_at),
      field("started_at", &Attempt::started_at),
      field("ended_at", &Attempt::ended_at),
      field("stop_cause", &Attempt::stop_cause),
      field("ended_by", &Attempt::ended_by),
      field("exit_code", &Attempt::exit_code),
      field("signal", &Attempt::signal),
      field("message", &Attempt::message),
  };
};
template <>
struct Fields<AttemptKey> {
  static constexpr std::tuple list{field("job", &AttemptKey::job), field("number", &AttemptKey::number)};
};

// --- inventory and configuration
template <>
struct Fields<Device> {
  static constexpr std::tuple list{field("id", &Device::id), field("healthy", &Device::healthy),
                                   field("physical", &Device::physical)};
};
template <>
struct Fields<Node> {
  static constexpr std::tuple list{
      field("name", &Node::name),         field("cluster", &Node::cluster),
      field("gpu_type", &Node::gpu_type), field("devices", &Node::devices),
      field("cpus", &Node::cpus),         field("memory", &Node::memory_bytes),
      field("labels", &Node::labels),     field("schedulable", &Node::schedulable),
      field("message", &Node::message),
  };
};
template <>
struct Fields<Cluster> {
  static constexpr std::tuple list{field("name", &Cluster::name), field("executor", &Cluster::executor),
                                   field("available", &Cluster::available), field("managed_by", &Cluster::managed_by)};
};
template <>
struct Fields<Flavor> {
  static constexpr std::tuple list{
      field("name", &Flavor::name),
      field("gpu_type", &Flavor::gpu_type),
      field("cluster", &Flavor::cluster),
      field("labels", &Flavor::labels),
      field("price_micros_per_gpu_hour", &Flavor::price_micros_per_gpu_hour),
      field("managed_by", &Flavor::managed_by),
  };
};
template <>
struct Fields<Quota> {
  static constexpr std::tuple list{field("nominal", &Quota::nominal), field("borrowing_limit", &Quota::borrowing_limit),
                                   field("lending_limit", &Quota::lending_limit)};
};
template <>
struct Fields<Queue> {
  static constexpr std::tuple list{
      field("name", &Queue::name),
      field("parent", &Queue::parent),
      field("quota", &Queue::quota),
      field("age_cap_ms", &Queue::age_cap_ms),
      field("accepts_jobs", &Queue::accepts_jobs),
      field("managed_by", &Queue::managed_by),
  };
};

}  // namespace ym::json
