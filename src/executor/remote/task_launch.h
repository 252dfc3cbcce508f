// From a request and the claims of its tasks to what the wrapper of each executes.
//
// Pure. Where the other tasks are, and on which port they meet, the claims say. What only the node
// knows is left to the wrapper: its own environment below this one, the files of the contract, which checkpoint is
// there, and which devices the cluster gave (CUDA_VISIBLE_DEVICES is left out, except of a job that asked for none
// and so shall see none).
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
  bool in_containers = false;  // a job that names no folder runs in that of its image
};

class LaunchPlan {
 public:
  // Errors: `invalid`: the request can never be launched. Precondition: a claim for each task.
  static Result<LaunchPlan> make(const LaunchRequest& request, std::span<const TaskClaim> claims,
                                 const LaunchRules& rules);
  // The same before anybody has claimed anything: only whether it can be launched.
  static Result<void> check(const LaunchRequest& request, const LaunchRules& rules);

  // Precondition: it is one of the request's.
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
  TaskLaunch common_;        // what is the same for all of them
};

}  // namespace ym::remote
