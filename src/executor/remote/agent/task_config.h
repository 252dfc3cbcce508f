// TaskConfig: settings of the agent, from its environment or from a script (script_settings.h).
//
//   YM_TASK_URL            ".../api/v1/jobs/ID/attempts/N/tasks"; the agent uses URL/TASK/report and URL/TASK/orders
//   YM_LAUNCH_TOKEN        of the attempt
//   YM_TASK_TOKEN          sent to the server until orders bring a newer one; or YM_TASK_TOKEN_FILE, which is read
//                          before each request
//   YM_TASK_RANK           which task it is; else SLURM_PROCID and YM_TASK_BASE, else JOB_COMPLETION_INDEX
//   YM_TASK_CA_FILE        for https, in place of the system's
//   YM_TASK_ADDRESS        address for the other tasks; default: that of the interface that reaches the server
//   YM_TASK_NODE           name of the node in its cluster; else SLURMD_NODENAME, else the host name
//   YM_TASK_DIR            a new or empty folder for its files, which stays. Default: a private one in memory
//                          (/dev/shm), and a log that is copied goes below TMPDIR or /tmp; without /dev/shm, all of it
//   YM_TASK_GPUS_PER_TASK  tasks share the node: this task gets those of its GPUs that belong to SLURM_LOCALID
//   YM_TASK_GRACE          between SIGTERM and SIGKILL of the cluster; "30s"
//   YM_TASK_OUTPUT         a file for its standard output and error; default: they stay. If the file is on this
//                          machine, user code writes to it directly, else its output is copied, because networks may
//                          hang
//   YM_TASK_MESSAGES       a file for the agent's own messages; default: its standard error
//   YM_TASK_LINGER         how long it tries to report the end to a server that does not answer; "60s"
// User code does not get the YM_TASK_* variables. The rest of this environment is the base of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "model/ids.h"

namespace ym::remote {

using Environment = std::map<std::string, std::string>;

struct TaskConfig {
  std::string origin;  // "https://host:port"
  std::string target;  // "/api/v1/jobs/ID/attempts/N/tasks/TASK"
  Token token;
  std::int32_t task = 0;
  Secret bearer;
  std::string bearer_file;
  std::string ca_file;
  std::string address;
  std::string node;
  std::string folder;  // empty: makes a private one below the following folders
  std::string temp_folder;
  std::string memory_folder;  // empty: none
  std::string log;            // of user code, kept; empty: a temporary one, copied to this process's output
  Duration grace = seconds(30);
  Duration linger = seconds(60);
  Environment user_env;  // for user code: the node's, with this task's part of the GPUs
};

// Errors: `invalid`, with the name of the variable.
Result<TaskConfig> read_config(Environment env);

// The value of a variable; empty if it is not set.
std::string text_of(const Environment& env, const std::string& name);

// The environment of this process.
Environment own_environment();

// Of a list of GPUs ("0,1,2,3"), the part of the `local`-th task on its node. The whole list if it has at most `count`
// entries. Empty if there are none left.
std::string part_of(const std::string& gpus, std::int64_t count, std::int64_t local);

}  // namespace ym::remote
