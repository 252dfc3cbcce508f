// JobSpec: what a user wants to run. Immutable once accepted; the members of an
// array share one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"
#include "model/resources.h"

namespace ym {

// Either an argument vector, executed as it is, or one string, the single argument
// of `sh -c`. Nothing of ours is ever added to either.
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

// Starts the program inside each task. `none`: once a task. `torchrun`: one agent a
// task, which starts as many workers as the task has GPUs (one if it has none).
enum class Launcher : std::uint8_t { none, torchrun };
constexpr std::string_view to_string(Launcher value) {
  switch (value) {
    case Launcher::none: return "none";
    case Launcher::torchrun: return "torchrun";
  }
  return {};
}

// What one task (that is, one node of the job) needs. Of GPUs: whole ones; or slices of a profile; or a share of
// one, beside others.
struct TaskResources {
  std::int64_t gpus = 0;  // thousandths of a device; below one: a share
  std::string gpu_type;   // "t4" in "t4:2"; empty: any
  // In "h100:8 | a100:8" the others that will do as well; all nodes of an attempt have GPUs of one type.
  std::vector<std::string> other_gpu_types;
  std::string profile;                // of the slices, "1g.10gb" (model/cluster.h); empty: none
  std::int64_t slices = 0;            // `gpus` is what they come to
  std::int64_t gpu_memory_bytes = 0;  // of a share; 0: not said
  std::int64_t cpus = 0;              // thousandths; the decoder fills in a default
  std::int64_t memory_bytes = 0;
  std::int64_t shm_bytes = 0;
  bool operator==(const TaskResources&) const = default;

  ResourceVector vector() const;
  bool shares_gpu() const { return profile.empty() && 0 < gpus && gpus < kMilli; }
  // Ids of devices that a task gets.
  std::int64_t devices() const { return shares_gpu() ? 1 : profile.empty() ? gpus / kMilli : slices; }
};

// The most groups of a gang: what is found for all their subsets stays small.
inline constexpr std::size_t kMostGroups = 8;

// Tasks of a gang that are alike, where not all of them are.
struct TaskGroup {
  std::string name;
  std::int32_t nodes = 1;
  TaskResources resources;
  Program run;
  Launcher launcher = Launcher::none;
  std::map<std::string, std::string> env;  // goes over the job's
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

// Each so many nodes of a gang are in one domain of the level: tasks 0 to nodes-1, and so on.
struct SliceRule {
  std::string level;
  std::int32_t nodes = 1;  // of which those of the gang are a multiple
  bool operator==(const SliceRule&) const = default;
};

// Conditions on the nodes: all of them hard, but for the level that is preferred.
struct PlacementRules {
  std::map<std::string, std::string> select;  // every label must have this value
  std::vector<std::string> exclude;           // node names
  // Levels of the topology (model/cluster.h): all nodes of the gang are in one domain of the first; in one
  // of the second, or else in as few as possible. Empty: none.
  std::string required_level, preferred_level;
  std::optional<SliceRule> slice{};
  // So many nodes, the first tasks', are of a flavor that is not spot, whatever the others are of.
  std::int32_t anchor = 0;
  bool operator==(const PlacementRules&) const = default;
};

// How the job wants to be asked to stop, and whether others may ask it to.
struct StopRules {
  std::string signal = "SIGTERM";
  Duration grace = seconds(30);
  bool preemptible = true;
  Duration min_runtime{0};  // of an attempt, before it may be preempted
  bool operator==(const StopRules&) const = default;
};

// Where the job saves its progress, and how often it means to.
struct CheckpointRules {
  std::string dir;                      // a path or a URL; empty: not said
  std::optional<Duration> every;        // nothing: not said
  std::optional<Duration> expect_save;  // how long one save takes
  bool operator==(const CheckpointRules&) const = default;
};

struct JobSpec {
  std::string name;
  std::string project = "default";
  std::string queue = "default";  // empty: left out; it gets one when it is submitted
  Program run;
  std::string workdir;  // absolute
  // It was not said, and is where the job was submitted: in a container that of the image is meant.
  bool workdir_left_out = false;
  std::string image{};  // of the container, where tasks run in one; empty: the cluster's own choice
  std::map<std::string, std::string> env;
  std::int32_t nodes = 1;  // tasks of the gang, each on a node of its own
  // Elastic: any number of nodes from here to `nodes` will do, as many as there is room for.
  std::optional<std::int32_t> min_nodes{};
  TaskResources resources;
  Launcher launcher = Launcher::none;
  std::int32_t priority = 50;          // 0 to 100, higher is more urgent
  std::optional<Duration> time_limit;  // of each attempt
  std::optional<Instant> deadline{};   // by when it should have succeeded
  RetryPolicy retry;
  PlacementRules placement;
  StopRules stop;
  CheckpointRules checkpoint;
  std::optional<std::int32_t> array;             // jobs to make of this spec
  std::optional<std::int32_t> array_parallel{};  // of these, so many have attempts at a time; nothing: all may
  // A gang of several kinds of tasks, in the order of the tasks: `nodes` is how many there are in all, and each group
  // says for its own what to run and what that takes. None: all are alike, and the job says it.
  std::vector<TaskGroup> groups{};
  bool operator==(const JobSpec&) const = default;

  // What the whole gang takes, at its largest.
  ResourceVector total() const { return total(nodes); }
  ResourceVector total(std::int64_t tasks) const;  // at this size
  std::int32_t smallest() const { return min_nodes.value_or(nodes); }
  // Of a task, by its place among all; null: all are alike.
  const TaskGroup* group_of(std::int32_t task) const;
  const TaskResources& resources_of(std::int32_t task) const;
  Launcher launcher_of(std::int32_t task) const;
  // As if it were a job of its own. Precondition: it is one of the groups.
  JobSpec of_group(std::size_t group) const;
};

}  // namespace ym
