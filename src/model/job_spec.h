// JobSpec: what a user wants to run. It is immutable once accepted. The members of an array share one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/boxed.h"
#include "base/enum_names.h"
#include "base/time.h"
#include "model/resources.h"

namespace ym {

// An argument vector that is executed unchanged, or one string as the argument of `sh -c`. Yardmaster adds nothing to
// it.
struct Program {
  enum class Form : std::uint8_t { argv, shell };
  Form form = Form::argv;
  std::vector<std::string> words;  // shell: exactly one
  bool operator==(const Program&) const = default;
};
constexpr std::string_view to_string(Program::Form value) {
  switch (value) {
    case Program::Form::argv: return "argv";
    case Program::Form::shell: return "shell";
  }
  return {};
}

// Starts the program inside each task. `none`: once in each task. `torchrun`: one agent in each task, which starts a
// worker for each GPU of the task (one if it has none).
enum class Launcher : std::uint8_t { none, torchrun };
constexpr std::string_view to_string(Launcher value) {
  switch (value) {
    case Launcher::none: return "none";
    case Launcher::torchrun: return "torchrun";
  }
  return {};
}

// What one task (one node of the job) needs. For GPUs: whole ones, slices of a profile, or a share of one GPU.
struct TaskResources {
  std::int64_t gpus = 0;  // thousandths of a device; below 1000: a share
  std::string gpu_type;   // "t4" in "t4:2"; empty: any
  // The alternatives in "h100:8 | a100:8". All nodes of an attempt have GPUs of one type.
  std::vector<std::string> other_gpu_types;
  std::string profile;                // profile of the slices, "1g.10gb" (model/cluster.h); empty: no slices
  std::int64_t slices = 0;            // number of slices; `gpus` is their total
  std::int64_t gpu_memory_bytes = 0;  // of a share; 0: not given
  std::int64_t cpus = 0;              // thousandths; the decoder fills in a default
  std::int64_t memory_bytes = 0;
  std::int64_t shm_bytes = 0;
  bool operator==(const TaskResources&) const = default;

  ResourceVector vector() const;
  bool shares_gpu() const { return profile.empty() && 0 < gpus && gpus < kMilli; }
  // Number of device ids that a task gets.
  std::int64_t devices() const { return shares_gpu() ? 1 : profile.empty() ? gpus / kMilli : slices; }
};

// Most groups of a gang. Searches go through all their subsets, so their number is small.
inline constexpr std::size_t kMostGroups = 8;

// A group of tasks that are alike, in a gang with different tasks.
struct TaskGroup {
  std::string name;
  std::int32_t nodes = 1;
  TaskResources resources;
  Program run;
  Launcher launcher = Launcher::none;
  std::map<std::string, std::string> env;  // overrides the job's
  bool operator==(const TaskGroup&) const = default;
};

struct RetryPolicy {
  static constexpr std::int32_t kUnlimited = -1;
  std::int32_t infra_max = 3;
  std::int32_t error_max = 0;
  std::int32_t preempted_max = kUnlimited;
  Duration backoff = seconds(5);  // doubles with each retry of the same cause
  Duration backoff_max = minutes(10);
  bool operator==(const RetryPolicy&) const = default;
};

// Slices: each `nodes` consecutive tasks of a gang are in one domain of `level`, from task 0 on.
struct SliceRule {
  std::string level;
  std::int32_t nodes = 1;  // the gang's size is a multiple of it
  bool operator==(const SliceRule&) const = default;
};

// Conditions on the nodes. All are required, except the preferred level.
struct PlacementRules {
  std::map<std::string, std::string> select;  // every label must have this value
  std::vector<std::string> exclude;           // node names
  // Levels of the topology (model/cluster.h). All nodes of the gang are in one domain of the required level. They are
  // in one domain of the preferred level if possible, else in as few as possible. Empty: no such condition.
  std::string required_level, preferred_level;
  std::optional<SliceRule> slice{};
  // This many nodes, those of the first tasks, are on demand: their flavor is not spot. The others may be of any
  // flavor.
  std::int32_t anchor = 0;
  bool operator==(const PlacementRules&) const = default;
};

// How the job is stopped, and whether other jobs may preempt it.
struct StopRules {
  std::string signal = "SIGTERM";
  Duration grace = seconds(30);
  bool preemptible = true;
  Duration min_runtime{0};  // an attempt runs at least this long before it may be preempted
  bool operator==(const StopRules&) const = default;
};

// Where the job saves its progress, and how often it intends to.
struct CheckpointRules {
  std::string dir;                      // a path or a URL; empty: not given
  std::optional<Duration> every;        // nothing: not given
  std::optional<Duration> expect_save;  // how long one save takes
  bool operator==(const CheckpointRules&) const = default;
};

struct JobSpec {
  std::string name;
  std::string project = "default";
  std::string queue = "default";  // empty: not given; set at the submit
  Program run;
  std::string workdir;  // absolute
  // `workdir` was not given and is the folder of the submit. A container uses the image's folder then.
  bool workdir_left_out = false;
  std::string image{};  // of the container, if tasks run in one; empty: the cluster's default
  std::map<std::string, std::string> env;
  std::int32_t nodes = 1;  // tasks of the gang, each on its own node
  // Elastic: the job runs on any number of nodes from this one to `nodes`, as many as there is room for.
  std::optional<std::int32_t> min_nodes{};
  TaskResources resources;
  Launcher launcher = Launcher::none;
  std::int32_t priority = 50;          // 0 to 100, higher is more urgent
  std::optional<Duration> time_limit;  // of each attempt
  std::optional<Instant> deadline{};   // time by which the job should have succeeded
  RetryPolicy retry;
  Boxed<PlacementRules> placement;
  StopRules stop;
  Boxed<CheckpointRules> checkpoint;
  std::optional<std::int32_t> array;             // number of jobs to make from this spec
  std::optional<std::int32_t> array_parallel{};  // most of these with an attempt at a time; nothing: no limit
  // A gang with several kinds of tasks, in the order of the tasks. `nodes` is the total, and each group has its own
  // program and resources. None: all tasks are alike and use the job's.
  std::vector<TaskGroup> groups{};
  bool operator==(const JobSpec&) const = default;

  // What the whole gang takes, at its largest size.
  ResourceVector total() const { return total(nodes); }
  ResourceVector total(std::int64_t tasks) const;  // at this size
  std::int32_t smallest() const { return min_nodes.value_or(nodes); }
  // The group of a task, by the task's number in the gang; null: all tasks are alike.
  const TaskGroup* group_of(std::int32_t task) const;
  const TaskResources& resources_of(std::int32_t task) const;
  Launcher launcher_of(std::int32_t task) const;
  // The spec of one group, as of a job of its own. Precondition: there is such a group.
  JobSpec of_group(std::size_t group) const;
};

}  // namespace ym
