// What to run. The executor writes it once; the supervisor of each task reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "executor/local/attempt/cgroup.h"
#include "model/ids.h"
#include "model/job.h"
#include "model/job_spec.h"
#include "model/progress.h"

namespace ym::local {

// What the tasks of one group run, if the job has groups.
struct GroupLaunch {
  std::int32_t tasks = 1;
  Program::Form form = Program::Form::argv;
  std::vector<std::string> argv;
  std::vector<std::string> env;  // "K=V", for each task of the group
  CgroupLimits limits;
  std::int64_t data_limit = 0;
  std::int64_t port = 0;
  bool torchrun = false;
};

struct LaunchRecord {
  Token token;
  std::string boot{};  // boot id at the launch; empty: of an older build, which flushed all its files
  std::int32_t tasks = 1;
  Program::Form form = Program::Form::argv;        // of what the user wrote, to explain exit codes better
  std::vector<std::string> argv;                   // as executed; never empty
  std::vector<std::string> env;                    // "K=V", for every task
  std::vector<std::vector<std::string>> task_env;  // one list for each task, applied after `env`
  std::string workdir;
  std::string stop_signal = "SIGTERM";  // sent at the time limit
  Duration stop_grace;
  std::optional<Duration> time_limit;
  Duration start_timeout;
  std::int64_t log_cap = 0;  // bytes
  std::string log{};         // absolute path of the log; empty: in the task's folder
  CgroupPlan cgroups;
  CgroupLimits limits;
  std::int64_t data_limit = 0;  // RLIMIT_DATA in bytes; 0: none
  std::int64_t open_files = 0;  // soft RLIMIT_NOFILE; 0: as inherited
  std::int64_t port = 0;        // reserved for this attempt; 0: none
  bool torchrun = false;        // torchrun starts user code, and needs the port
  // Checkpoints that the attempt was to resume from and that do not exist. For the server that finds the attempt.
  std::vector<Checkpoint> gone{};
  // Groups in the order of their tasks; they replace form, argv, env, limits, port and torchrun above. Empty: all tasks
  // run the same.
  std::vector<GroupLaunch> groups{};
  // Placement of each task, as the engine decided it. For the server that finds the attempt. Empty: of an older build.
  std::vector<TaskPlacement> placement{};

  // The record as if all tasks ran what this one runs. Precondition: the attempt has this task.
  LaunchRecord of_task(std::int32_t task) const;
  // Ports of the attempt, each once.
  std::vector<std::int64_t> ports() const;
  // Devices of the task, as CUDA names them. Empty too if there is no such task.
  std::vector<std::string> devices_of(std::int32_t task) const;
  // Path of its log, relative to the folder of a task.
  std::string log_path() const;
};

std::string encode(const LaunchRecord& launch);
// Errors: `not_found`, `corrupt`, `io`.
Result<LaunchRecord> read_launch(int attempt_folder);

// "0,MIG-5", as CUDA_VISIBLE_DEVICES has them.
std::vector<std::string> split_devices(const std::string& list);

// Launched before the machine rebooted: nothing of it lives.
bool is_of_earlier_boot(const LaunchRecord& launch);

}  // namespace ym::local
