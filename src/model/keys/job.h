// The keys of a job file.
#pragma once

#include "model/job_spec.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"
#include "model/resources.h"

namespace ym::keys {

inline constexpr Duration kLongestTime = hours(365 * 24);
inline constexpr std::int64_t kMostNodes = 10'000;    // of a job
inline constexpr std::int64_t kMostMembers = 10'000;  // of an array

template <>
struct Keys<RetryPolicy> {
  using R = RetryPolicy;
  static constexpr std::tuple list{
      Key{"infra", &R::infra_max, RetryLimit{}, About{"Retries after a failure of the machine.", "3"},
          Traits{.stored = "infra_max", .in_rows = InRows::always}},
      Key{"error", &R::error_max, RetryLimit{}, About{"Retries after a failure of the program.", "1"},
          Traits{.stored = "error_max", .in_rows = InRows::always}},
      Key{"preempted", &R::preempted_max, RetryLimit{.may_be_unlimited = true},
          About{"New attempts after a preemption.", "5", "`unlimited`"},
          Traits{.stored = "preempted_max", .in_rows = InRows::always}},
      Key{"backoff", &R::backoff, Span{Duration{100}, hours(1)},
          About{"Pause before the first retry. It doubles with each retry of the same cause.", "10s"},
          Traits{.stored = "backoff_ms", .in_rows = InRows::always}},
      Key{"backoff_max", &R::backoff_max, Span{Duration{100}, hours(24)},
          About{"Longest pause, at least `backoff`.", "1h"},
          Traits{.stored = "backoff_max_ms", .in_rows = InRows::always}},
  };
};

template <>
struct Keys<SliceRule> {
  using R = SliceRule;
  static constexpr std::tuple list{
      Key{"level", &R::level, LabelKey{}, About{"All nodes of a slice are in one domain of this level.", "rack"},
          Traits{.in_rows = InRows::always,
                 .required = "write the level that each slice is in one domain of, for example rack"}},
      Key{"nodes", &R::nodes, Whole{1, kMostNodes, "nodes"},
          About{"Size of a slice. The job's nodes are a multiple of it.", "4"},
          Traits{.in_rows = InRows::always, .required = "write of how many nodes a slice is"}},
  };
};

template <>
struct Keys<PlacementRules> {
  using R = PlacementRules;
  static constexpr std::tuple list{
      Key{"select", &R::select, Labels{},
          About{"Each label of the node must have this value.", "{rack: r1}", "any node"}},
      Key{"exclude", &R::exclude, NodeNames{}, About{"Nodes that the job must not use.", "[\"n[1-3]\"]"}},
      sparse_section("topology",
                     "Where the nodes of a gang are to each other. Levels are those of the cluster's topology, or any "
                     "label of nodes.",
                     Key{"required", &R::required_level, LabelKey{},
                         About{"All nodes in one domain of this level. See [topology](#topology).", "rack"},
                         Traits{.stored = "required_level", .shown = Shown::if_set}},
                     Key{"preferred", &R::preferred_level, LabelKey{},
                         About{"One domain of this level if possible, else as few as possible.", "rack"},
                         Traits{.stored = "preferred_level", .shown = Shown::if_set}},
                     Key{"slice", &R::slice, MapOf<SliceRule>{},
                         About{"Every `nodes` consecutive nodes in one domain of `level`.", "{level: rack, nodes: 4}"},
                         Traits{.shown = Shown::if_set}}),
      Key{"anchor", &R::anchor, Whole{0, kMostNodes, "nodes"},
          About{"Number of first nodes that must be on demand. See [spot machines](#spot-machines-and-the-anchor).",
                "1"},
          Traits{.shown = Shown::if_set}},
  };
};

template <>
struct Keys<StopRules> {
  using R = StopRules;
  static constexpr std::tuple list{
      Key{"allow", &R::preemptible, Flag{}, About{"`false`: the job is never preempted for other jobs.", "false"},
          Traits{.stored = "preemptible", .in_rows = InRows::later}},
      Key{"signal", &R::signal, Signal{}, About{"Signal that asks the job to stop, on a cancel too.", "SIGUSR1"},
          Traits{.in_rows = InRows::always}},
      Key{"grace", &R::grace, Span{{}, hours(1)}, About{"Time between the signal and the kill, on a cancel too.", "2m"},
          Traits{.stored = "grace_ms", .in_rows = InRows::always}},
      Key{"min_runtime", &R::min_runtime, Span{{}, kLongestTime},
          About{"Time that an attempt runs before it may be preempted.", "10m"},
          Traits{.stored = "min_runtime_ms", .in_rows = InRows::later}},
  };
};

template <>
struct Keys<CheckpointRules> {
  using R = CheckpointRules;
  static constexpr std::tuple list{
      Key{"dir", &R::dir, Place{}, About{"Where the job saves. The job finds it in `YM_CHECKPOINT_DIR`.", "/data/ck"},
          Traits{.in_rows = InRows::always, .shown = Shown::if_set}},
      Key{"every", &R::every, Span{seconds(1), kLongestTime},
          About{"How often the job intends to save. The job finds it in `YM_CHECKPOINT_EVERY`, in seconds.", "15m"},
          Traits{.stored = "every_ms", .shown = Shown::if_set}},
      Key{"expect_save", &R::expect_save, Span{{}, hours(24)}, About{"How long one save takes.", "20s"},
          Traits{.stored = "expect_save_ms", .shown = Shown::if_set}},
  };
};

template <>
struct Keys<TaskResources> {
  using R = TaskResources;
  static constexpr std::tuple list{
      Form{"gpus", ByHand{GpuCount{}}, About{"Whole GPUs. See [types](#types-of-gpus).", "\"h100:8\"", "0"}},
      Form{"gpu_share", ByHand{GpuShare{}},
           About{"Part of one GPU. Needs `gpu_memory`. See [parts](#parts-of-gpus).", "500m"}},
      Form{"gpu_memory", ByHand{Bytes{.unit_wanted = true}},
           About{"With `gpu_share` only: memory of that GPU.", "10GiB"}},
      Form{"mig", ByHand{Slices{}}, About{"MIG slices. See [parts](#parts-of-gpus).", "\"1g.10gb:2\""}},
      Key{"cpus", &R::cpus, Amount{"CPUs"}, About{"CPU cores.", "8", "1 for each GPU, at least 1"},
          Traits{.in_rows = InRows::always}},
      Key{"memory", &R::memory_bytes, Bytes{.unit_wanted = true},
          About{"Main memory.", "32GiB", "0: no request, no limit"}, Traits{.in_rows = InRows::always}},
      Key{"shm", &R::shm_bytes, Bytes{.unit_wanted = true},
          About{"Shared memory (`/dev/shm`).", "16GiB", "0: no request"}},
      Kept{"gpus", &R::gpus, InRows::always},
      Kept{"gpu_type", &R::gpu_type},
      Kept{"profile", &R::profile},
      Kept{"slices", &R::slices},
      Kept{"gpu_memory", &R::gpu_memory_bytes},
      Kept{"other_gpu_types", &R::other_gpu_types},
  };
};

template <>
struct Keys<TaskGroup> {
  using R = TaskGroup;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Each group has another.", "learners"},
          Traits{.in_rows = InRows::always, .required = "write what the group is called, for example learners"}},
      Key{"nodes", &R::nodes, Whole{1, kMostNodes, "nodes"},
          About{"Tasks of the group, each on a node of its own.", "2"}, Traits{.in_rows = InRows::always}},
      Key{"resources", &R::resources, MapOf<TaskResources>{},
          About{"What each of its tasks needs.", "{gpus: 1}", "the job's"}, Traits{.in_rows = InRows::always}},
      Key{"run", &R::run, ProgramText{}, About{"The program of its tasks.", "[learn.py]", "the job's"},
          Traits{.in_rows = InRows::always}},
      Key{"launcher", &R::launcher, OneOf<Launcher>{},
          About{"Starts the program in each task.", "torchrun", "the job's"}, Traits{.in_rows = InRows::always}},
      Key{"env", &R::env, Variables{}, About{"Environment variables. They override the job's.", "{ROLE: actor}"}},
  };
};

template <>
struct Keys<JobSpec> {
  using R = JobSpec;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{},
          About{"Must not look like a job id, for example `0000001A` or `20260101`.", "retraining",
                "name of the script"},
          Traits{.in_rows = InRows::always}},
      Key{"run", &R::run, ProgramText{},
          About{
              "The program. A list is executed as it is: program, then arguments. A string is one argument of `sh -c`.",
              "[python, train.py]", "required, unless each group has one"},
          Traits{.in_rows = InRows::always}},
      Key{"workdir", &R::workdir, ByHand{Workdir{}},
          About{"Folder to run in. A relative path starts at the folder in which you submit. `~` is not expanded.",
                "/home/ada/gpt", "the folder in which you submit; on Kubernetes the image's own"},
          Traits{.in_rows = InRows::always}},
      Kept{"workdir_left_out", &R::workdir_left_out},
      Key{"image", &R::image, Image{},
          About{"Container image. The job then runs only on clusters that run tasks in containers (Kubernetes). It is "
                "refused if its queue can use no such cluster.",
                "registry.example/team/pytorch:2.4", "the cluster's `image`"},
          Traits{.shown = Shown::if_set}},
      Key{"project", &R::project, Name{}, About{"Project that the work is for.", "vision"},
          Traits{.in_rows = InRows::always}},
      Key{"queue", &R::queue, Name{},
          About{"Queue in which the job waits and which quota it uses. If there is no default, the submit is refused: "
                "name a queue ([configuration](configuration.md#queues)).",
                "team-a", "the `default_for` queue of your user, else of the project, else the queue `default`"},
          Traits{.in_rows = InRows::always, .shown = Shown::if_set}},
      Key{"priority", &R::priority, kPriority, About{"Higher is more urgent.", "90"},
          Traits{.in_rows = InRows::always}},
      Form{"nodes", NodeCount{},
           About{"Gang of that many tasks, each on a node of its own. All start together or none. `{min, max}` makes "
                 "the job [elastic](#elastic-jobs).",
                 "2", "1"}},
      Form{"resources", ByHand{MapOf<TaskResources>{}}, About{"What each node of the job needs."}},
      Form{"groups", ByHand{GroupList{}},
           About{"Tasks of several kinds in one gang, in place of `nodes` and `resources`. See "
                 "[groups](#groups-of-tasks)."}},
      Key{"launcher", &R::launcher, OneOf<Launcher>{},
          About{"`none` starts the program once on each node. `torchrun`: see [torchrun](#torchrun).", "torchrun"},
          Traits{.in_rows = InRows::always}},
      Key{"env", &R::env, Variables{},
          About{"Environment variables. `YM_` and `SLURM_` names are errors.", "{OMP_NUM_THREADS: 4}"}},
      Key{"time_limit", &R::time_limit, Span{Duration{1}, kLongestTime},
          About{"Limit of each attempt. It is enforced with or without a server.", "6h"},
          Traits{.stored = "time_limit_ms", .shown = Shown::if_set}},
      Key{"deadline", &R::deadline, Moment{},
          About{"Time by which the job should have succeeded. Queues with `order: deadline` use it. `ym submit` and "
                "`ym why` say if it can be met.",
                "2026-01-01T12:00:00Z"},
          Traits{.shown = Shown::if_set}},
      Key{"retry", &R::retry, MapOf<RetryPolicy>{}, About{"How often the job is tried again."},
          Traits{.in_rows = InRows::always}},
      Key{"placement", &R::placement, MapOf<PlacementRules>{}, About{"Which nodes the job may have."}},
      Key{"preemption", &R::stop, MapOf<StopRules>{}, About{"How the job stops, and whether it may be preempted."},
          Traits{.stored = "stop", .in_rows = InRows::always}},
      Key{"checkpoint", &R::checkpoint, MapOf<CheckpointRules>{}, About{"Where and how often the job saves."},
          Traits{.shown = Shown::if_set}},
      Form{"array", MemberCount{},
           About{"Number of jobs to create from this spec: `NAME-0`, `NAME-1`, ... See [arrays](#arrays).",
                 "{count: 100, parallel: 10}", "one job"}},
      Kept{"nodes", &R::nodes, InRows::always},
      Kept{"min_nodes", &R::min_nodes},
      Kept{"resources", &R::resources, InRows::always},
      Kept{"groups", &R::groups},
      Kept{"array", &R::array},
      Kept{"array_parallel", &R::array_parallel},
  };
};

}  // namespace ym::keys
