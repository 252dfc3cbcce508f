// From a spec and its placement to what each task executes.
//
// Pure. The environment is put together from the bottom up: `base_env`, the launcher's
// defaults, the job's own `env`, and last what only we know (YM_*, CUDA_VISIBLE_DEVICES
// and the launcher's addresses), which a job cannot overwrite. SLURM_* is never made up. Who shares a GPU is told
// how much of it is his (YM_GPU_SHARE, YM_GPU_MEMORY in bytes, and what MPS reads).
//
// torchrun: one agent a task, PyTorch's `torch.distributed.run` under the python3 of
// the job's PATH (so a virtual environment needs no torchrun of its own), told
// everything through PET_*. Rendezvous is static: ranks follow the tasks, which c10d
// does not promise, and one port serves the agents and the workers. Workers: as many as
// the task has whole GPUs, one if it has none; `env: {PET_NPROC_PER_NODE: ...}` overrides it,
// as it does PET_MAX_RESTARTS, PET_MONITOR_INTERVAL, PET_REDIRECTS, PET_TEE and OMP_NUM_THREADS.
// The program's words:
//   [train.py, --x]            a script (its name ends in .py)
//   [-m, pkg.train]            words that begin with '-' go to torchrun as they are
//   [python, train.py], [./x]  any other program is started as it is (--no_python)
// A string is cut into such words here, by the shell's rules for quotes and $NAME
// (words.h); a string that needs more of a shell becomes a worker `sh -c STRING`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/ids.h"
#include "model/job_spec.h"
#include "model/progress.h"

namespace ym {

using Environment = std::map<std::string, std::string>;

struct TaskSite {
  std::string address;               // where the other tasks reach it
  std::vector<std::string> devices;  // physical ids that it may see
  Environment executor_env{};        // what else only the executor knows; a job cannot overwrite it
};

struct LaunchContext {
  Token token;
  const JobSpec& spec;
  std::string job_name;
  std::optional<std::int32_t> group_index;
  std::vector<TaskSite> sites;  // by task; as many as the attempt has nodes
  std::uint16_t port = 0;       // the attempt's own, free on the first task's node
  Environment base_env;
  Environment executor_env{};  // as a site's, for every task
  std::optional<Checkpoint> resumes_from{};
  Environment gang_env{};  // of a group: what is known of all of them, in place of what is of itself
};

struct LaunchCommand {
  std::vector<std::string> argv;      // the same for every task
  Environment env;                    // the same for every task
  std::vector<Environment> task_env;  // by task, goes over `env`
};

// Of a job whose tasks are alike. Errors: `invalid`, for a spec that cannot be launched.
Result<LaunchCommand> make_launch_command(const LaunchContext& context);

// Of a job of several groups: one of each, for its tasks alone, by the ports of each (0: it needs none). A launcher
// knows its own group only; the tasks also know where they are in it (YM_GROUP, YM_GROUP_RANK, YM_GROUP_NODES) and
// where the others are (YM_GROUPS: "learners=10.0.0.1,10.0.0.2;actors=10.0.0.3"). What YM_NODE_RANK, YM_NODES and
// YM_NODE_IPS say is of all together. Precondition: as many ports as groups; `context.port` is not read.
Result<std::vector<LaunchCommand>> make_group_commands(const LaunchContext& context,
                                                       const std::vector<std::uint16_t>& ports);

// True if the launcher needs a port of the attempt's own.
bool needs_port(Launcher launcher);
// True if the program is better off with one, though its launcher needs none: it has GPUs, over which its processes may
// meet, or it starts a torchrun of its own. Else these take a port that is fixed, and two of them on a node collide.
// Precondition: it has no groups.
bool may_use_port(const JobSpec& spec);

}  // namespace ym
