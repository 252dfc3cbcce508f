// From a launch and the node to what a supervisor executes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/remote/agent/task_config.h"
#include "executor/remote/wire.h"

namespace ym::remote {

inline constexpr const char* kOnlyTask = "0";
inline constexpr const char* kTaskFolderName = "ym-task-";  // followed by unique characters

// The agent's files: the folder of an attempt with one task, as in executor/local/attempt/layout.h.
struct TaskFolder {
  std::string path;         // absolute
  bool is_own = false;      // created below a folder for temporary files: to be removed
  std::string log;          // of user code, absolute: in the folder, a temporary file, or the file that is kept
  bool log_is_own = false;  // temporary: not needed after the task
  Fd attempt, task;

  std::string task_path() const;
  std::string token_path() const;
  // Removes the folder with its content, and the log, if this process created them.
  void remove() const;
};

// Whether a file has the name of a temporary log.
bool is_name_of_own_log(std::string_view name);

// Errors: `conflict`: another task has run in that folder; `io`.
Result<TaskFolder> make_task_folder(const TaskConfig& config);

struct NodeSide {
  const TaskConfig& config;
  const TaskFolder& folder;
  bool has_token = false;  // user code has a token for the server
  std::optional<Checkpoint> resumes_from;
  bool limits_memory = false;  // the cluster limits it
};

// The node's environment, overwritten by the launch's, then by what only the node knows. A word that was only a
// variable, and is empty now, is left out, as a shell does.
local::LaunchRecord make_record(const TaskLaunch& launch, const NodeSide& side);

// The working directory of user code: that of the launch, or this process's.
std::string work_folder(const TaskLaunch& launch);

}  // namespace ym::remote
