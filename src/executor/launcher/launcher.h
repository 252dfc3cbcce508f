// From a spec and its placement to what each task executes.
//
// Pure. The environment has these layers, and later ones overwrite earlier ones: `base_env`, the launcher's defaults,
// the job's own `env`, and variables that only Yardmaster knows (YM_*, CUDA_VISIBLE_DEVICES, the launcher's addresses).
// A job cannot overwrite the last layer. SLURM_* is never made up. A task that shares a GPU gets the size of its share
// (YM_GPU_SHARE, YM_GPU_MEMORY in bytes, and the variables of MPS).
//
// torchrun: one agent for each task, PyTorch's `torch.distributed.run` under the python3 in the job's PATH (so a
// virtual environment needs no torchrun of its own). All its settings are PET_* variables. Rendezvous is static: ranks
// follow the tasks, which c10d does not guarantee, and one port serves agents and workers. The number of workers is
// that of the task's whole GPUs, or one without GPUs. `env: {PET_NPROC_PER_NODE: ...}` overrides it, and likewise
// PET_MAX_RESTARTS, PET_MONITOR_INTERVAL, PET_REDIRECTS, PET_TEE and OMP_NUM_THREADS.
// The words of the program:
//   [train.py, --x]            a script (its name ends in .py)
//   [-m, pkg.train]            words that begin with '-' go to torchrun unchanged
//   [python, train.py], [./x]  any other program is started directly (--no_python)
// A string is split into such words here, by the shell's rules for quotes and $NAME (words.h). A string that needs more
// of a shell becomes a worker `sh -c STRING`.
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
  std::string address;               // for the other tasks
  std::vector<std::string> devices;  // physical ids of visible devices
  Environment executor_env{};        // further variables of the executor; a job cannot overwrite them
};

struct LaunchContext {
  Token token;
  const JobSpec& spec;
  std::string job_name;
  std::optional<std::int32_t> group_index;
  std::vector<TaskSite> sites;  // by task; one for each node of the attempt
  std::uint16_t port = 0;       // reserved for the attempt, free on the first task's node
  Environment base_env;
  Environment executor_env{};  // as in TaskSite, for every task
  std::optional<Checkpoint> resumes_from{};
  Environment gang_env{};  // for a group: variables of all groups, in place of its own
};

struct LaunchCommand {
  std::vector<std::string> argv;      // the same for every task
  Environment env;                    // the same for every task
  std::vector<Environment> task_env;  // by task; overwrites `env`
};

// For a job with tasks that are all alike. Errors: `invalid`: the spec cannot be launched.
Result<LaunchCommand> make_launch_command(const LaunchContext& context);

// For a job with several groups: one command for each group, with its port (0: it needs none). A launcher knows its own
// group only. The tasks also know their place in it (YM_GROUP, YM_GROUP_RANK, YM_GROUP_NODES) and the other groups
// (YM_GROUPS: "learners=10.0.0.1,10.0.0.2;actors=10.0.0.3"). YM_NODE_RANK, YM_NODES and YM_NODE_IPS count all groups
// together. Precondition: one port for each group; `context.port` is not used.
Result<std::vector<LaunchCommand>> make_group_commands(const LaunchContext& context,
                                                       const std::vector<std::uint16_t>& ports);

// True if the launcher needs a port for the attempt.
bool needs_port(Launcher launcher);
// True if the program should have a port although its launcher needs none: it has GPUs, so its processes may need to
// meet, or it starts torchrun itself. Without one these use a fixed port, and two of them on a node collide.
// Precondition: the job has no groups.
bool may_use_port(const JobSpec& spec);

}  // namespace ym
