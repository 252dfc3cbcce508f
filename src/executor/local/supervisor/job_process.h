// Starts user code.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/launch_record.h"

namespace ym::local {

struct JobStart {
  const LaunchRecord& launch;
  std::int32_t task = 0;
  std::string nonce;        // of the claim; YM_LAUNCH_NONCE of user code
  int attempt_folder = -1;  // checked for a late stop directly before user code
  const TaskCgroup& cgroup;
  int output = -1;        // for stdout and stderr
  mode_t umask = 0022;    // of the server
  std::string oom_score;  // of the server; empty: do not change it
};

// A process before user code. It may hang as long as a file system does.
struct StartingJob {
  pid_t pid = 0;
  Fd report;  // readable when hear_start() has a result
};

// Forks. The child executes the program in a session of its own, and dies with the calling thread. Errors: `io`, with
// the call and the reason for people; `retryable` if another try may work.
Result<StartingJob> start_job(const JobStart& start);

struct StartReport {
  enum class State : std::uint8_t {
    pending,
    runs,     // user code runs, or has run
    stopped,  // the child found a stop and did not start user code
    failed,   // the start failed, or the process was killed before user code
  } state = State::pending;
  Error error;  // of a failure, as in start_job()
};

// The state of the child; does not wait. `launch` and `task` as for start_job(). Precondition: the child is not reaped.
StartReport hear_start(const StartingJob& starting, const LaunchRecord& launch, std::int32_t task);

// The paths to try for a program: the name itself if it has a '/', else one in each folder of PATH, as execvp does, but
// with the PATH of the job.
std::vector<std::string> candidates(const std::string& program, const std::vector<std::string>& env);

// "execve /x: No such file or directory", with the cause if the file shows it: Windows line endings, a missing
// interpreter, no #! line. `file` is the path of the program as seen from another working directory.
std::string explain_exec_failure(const std::string& program, const std::string& file, int error);

}  // namespace ym::local
