// From a launch and the node to what a supervisor is told to execute.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/remote/wire.h"
#include "executor/remote/wrapper/task_config.h"

namespace ym::remote {

inline constexpr const char* kOnlyTask = "0";
inline constexpr const char* kTaskFolderName = "ym-task-";  // and what makes it unique

// The wrapper's files: the folder of an attempt of one task, as executor/local/attempt/layout.h has it.
struct TaskFolder {
  std::string path;         // absolute
  bool is_own = false;      // made below a folder for temporary files: to be removed
  std::string log;          // of user code, absolute; in the folder, or a file on its own, or the one that is kept
  bool log_is_own = false;  // and of no use to anybody once the task is over
  Fd attempt, task;

  std::string task_path() const;
  std::string token_path() const;
  // With all that is in it, and the log, if they are ours to remove.
  void remove() const;
};

// Whether a file is called as the log that such a folder has on its own.
bool is_name_of_own_log(std::string_view name);

// Errors: `conflict`: a task was run in that folder before; `io`.
Result<TaskFolder> make_task_folder(const TaskConfig& config);

struct NodeSide {
  const TaskConfig& config;
  const TaskFolder& folder;
  bool has_token = false;  // user code shows one to the server
  std::optional<Checkpoint> resumes_from;
  bool limits_memory = false;  // the cluster does
};

// The node's environment, the launch's over it, and last what only the node knows. A word that was nothing but a
// variable, and is empty now, is left out, as a shell would do.
local::LaunchRecord make_record(const TaskLaunch& launch, const NodeSide& side);

// Where user code begins: the launch's folder, or this process's.
std::string work_folder(const TaskLaunch& launch);

}  // namespace ym::remote
