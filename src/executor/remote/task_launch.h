// From a request and the claims of its tasks to what the agent of each task executes.
//
// Pure. The addresses and ports of the tasks are in the claims. The agent adds what only the node knows: its own
// environment below this one, the files of the job contract, which checkpoint exists, and which devices the cluster
// gave. (CUDA_VISIBLE_DEVICES is not set here, except for a job that requests no devices and so must see none.)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/launcher/launcher.h"
#include "executor/remote/wire.h"

namespace ym::remote {

struct LaunchRules {
  Environment base_env;
  Duration start_timeout;
  std::int64_t log_cap = 0;
  bool in_containers = false;  // a job without `workdir` runs in the folder of its image
};

class LaunchPlan {
 public:
  // Errors: `invalid`: the request can never be launched. Precondition: a claim for each task.
  static Result<LaunchPlan> make(const LaunchRequest& request, std::span<const TaskClaim> claims,
                                 const LaunchRules& rules);
  // The same before any claim: only whether the request can be launched.
  static Result<void> check(const LaunchRequest& request, const LaunchRules& rules);

  // Precondition: a task of the request.
  TaskLaunch of_task(std::int32_t task) const;

 private:
  // What tasks that are alike run.
  struct Part {
    std::int32_t tasks = 0;
    Program::Form form = Program::Form::argv;
    LaunchCommand command;
    std::int64_t memory_bytes = 0;
    std::int64_t port = 0;
    bool has_devices = false;
  };

  std::vector<Part> parts_;  // in the order of their tasks
  TaskLaunch common_;        // common to all of them
};

}  // namespace ym::remote
