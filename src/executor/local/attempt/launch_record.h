// What to run: written once by the executor, read by each task's supervisor.
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

// What the tasks of one group run, where a job has groups.
struct GroupLaunch {
  std::int32_t tasks = 1;
  Program::Form form = Program::Form::argv;
  std::vector<std::string> argv;
  std::vector<std::string> env;  // "K=V", for each of its tasks
  CgroupLimits limits;
  std::int64_t data_limit = 0;
  std::int64_t port = 0;
  bool torchrun = false;
};

struct LaunchRecord {
  Token token;
  std::string boot{};  // the machine's boot id at the launch; empty: of a build that flushed all that it wrote
  std::int32_t tasks = 1;
  Program::Form form = Program::Form::argv;        // of what the user wrote: words explain exit codes better
  std::vector<std::string> argv;                   // as it is executed; never empty
  std::vector<std::string> env;                    // "K=V", for every task
  std::vector<std::vector<std::string>> task_env;  // by task, after `env`
  std::string workdir;
  std::string stop_signal = "SIGTERM";  // at the time limit
  Duration stop_grace;
  std::optional<Duration> time_limit;
  Duration start_timeout;
  std::int64_t log_cap = 0;  // bytes
  std::string log{};         // the file of it, absolute; empty: in the task's folder
  CgroupPlan cgroups;
  CgroupLimits limits;
  std::int64_t data_limit = 0;  // RLIMIT_DATA in bytes; 0: none
  std::int64_t open_files = 0;  // soft RLIMIT_NOFILE; 0: as inherited
  std::int64_t port = 0;        // the attempt's own; 0: none
  bool torchrun = false;        // that launcher starts user code, and only if it gets the port
  // It was to resume from these, and they are not there; for whoever finds the attempt.
  std::vector<Checkpoint> gone{};
  // In the order of their tasks, in place of form, argv, env, limits, port and torchrun above. None: all tasks run the
  // same.
  std::vector<GroupLaunch> groups{};
  // By task, as the engine gave it; for whoever finds the attempt. Empty: of an older build.
  std::vector<TaskPlacement> placement{};

  // As if all tasks ran what this one does. Precondition: it is one of them.
  LaunchRecord of_task(std::int32_t task) const;
  // That the attempt has, each once.
  std::vector<std::int64_t> ports() const;
  // Of that task, as CUDA names them. None, too, where there is no such task.
  std::vector<std::string> devices_of(std::int32_t task) const;
  // Of its log, seen from a task's folder.
  std::string log_path() const;
};

std::string encode(const LaunchRecord& launch);
// Errors: `not_found`, `corrupt`, `io`.
Result<LaunchRecord> read_launch(int attempt_folder);

// "0,MIG-5", as CUDA_VISIBLE_DEVICES has them.
std::vector<std::string> split_devices(const std::string& list);

// Launched before the machine was restarted: nothing of it lives.
bool is_of_earlier_boot(const LaunchRecord& launch);

}  // namespace ym::local
