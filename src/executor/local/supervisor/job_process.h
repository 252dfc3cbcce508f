// Starting user code.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/launch_record.h"

namespace ym::local {

struct JobStart {
  const LaunchRecord& launch;
  std::int32_t task = 0;
  const TaskCgroup& cgroup;
  int output = -1;        // stdout and stderr
  mode_t umask = 0022;    // the server's
  std::string oom_score;  // the server's; empty: leave it
};

// Forks, and executes the program in a session of its own, which dies with the calling
// thread. Returns when the program runs. Errors: `io`, with the call and the reason for
// people; `retryable` if trying again may heal it.
Result<pid_t> start_job(const JobStart& start);

// Where a program is looked for: the name itself if it has a '/', else each folder of
// PATH, as execvp does it but with the job's PATH.
std::vector<std::string> candidates(const std::string& program, const std::vector<std::string>& env);

// "execve /x: No such file or directory", with the cause where the file itself shows it:
// Windows line endings, an interpreter that is not there, no #! line. `file` is where
// the program is, for a process in another folder.
std::string explain_exec_failure(const std::string& program, const std::string& file, int error);

}  // namespace ym::local
