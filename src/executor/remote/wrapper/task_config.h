// TaskConfig: what the wrapper was told by whoever started it, in its environment or a script (script_settings.h).
//
//   YM_TASK_URL            ".../api/v1/jobs/ID/attempts/N/tasks"; it talks to URL/TASK/report and URL/TASK/orders
//   YM_LAUNCH_TOKEN        of the attempt
//   YM_TASK_TOKEN          shown to the server until its orders bring a newer one; or YM_TASK_TOKEN_FILE, which is read
//                          before each request
//   YM_TASK_RANK           which task it is; else SLURM_PROCID and YM_TASK_BASE, else JOB_COMPLETION_INDEX
//   YM_TASK_CA_FILE        for https, instead of the system's
//   YM_TASK_ADDRESS        where the other tasks reach it; else that of the interface that reaches the server
//   YM_TASK_NODE           as its cluster names the node; else SLURMD_NODENAME, else the host's name
//   YM_TASK_DIR            a new or empty folder for its files, which stays; else a private one in memory (/dev/shm),
//                          with the log, if it is copied, below TMPDIR or /tmp; where there is no such, all of it there
//   YM_TASK_GPUS_PER_TASK  tasks share the node: of its GPUs, those of SLURM_LOCALID are this task's
//   YM_TASK_GRACE          between SIGTERM and SIGKILL of the cluster; "30s"
//   YM_TASK_OUTPUT         a file for its standard output and error; else they stay as they are. User code's output is
//                          written to it at once where it is on this machine, else copied: networks may hang
//   YM_TASK_MESSAGES       a file for what it has to say itself; else its standard error
//   YM_TASK_LINGER         for which the end is still told to a server that is away; "60s"
// All of YM_TASK_* is withheld from user code; the rest of the environment is the ground that its own stands on.
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
  std::string folder;  // empty: a private one is to be made below the following
  std::string temp_folder;
  std::string memory_folder;  // empty: none
  std::string log;            // of user code, kept after its end; empty: one for as long as it is copied to our output
  Duration grace = seconds(30);
  Duration linger = seconds(60);
  Environment user_env;  // for user code: the node's, with this task's part of its GPUs
};

// Errors: `invalid`, naming the variable.
Result<TaskConfig> read_config(Environment env);

// What a variable is set to; empty if it is not.
std::string text_of(const Environment& env, const std::string& name);

// The environment of this process.
Environment own_environment();

// Of a list of GPUs ("0,1,2,3"), the part of the task that is the `local`-th on its node. All of it where there
// are not more than `count`, nothing where the list is empty.
std::string part_of(const std::string& gpus, std::int64_t count, std::int64_t local);

}  // namespace ym::remote
