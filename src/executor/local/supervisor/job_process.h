// Starting user code.
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
  std::string nonce;        // of the claim: user code carries it as YM_LAUNCH_NONCE
  int attempt_folder = -1;  // looked at for a late stop just before user code
  const TaskCgroup& cgroup;
  int output = -1;        // stdout and stderr
  mode_t umask = 0022;    // the server's
  std::string oom_score;  // the server's; empty: leave it
};

// A process on its way to user code: it may hang for as long as a file system does.
struct StartingJob {
  pid_t pid = 0;
  Fd report;  // readable as soon as hear_start() has something to say
};

// Forks; the child goes on to execute the program in a session of its own, which dies with
// the calling thread. Errors: `io`, with the call and the reason for people; `retryable` if
// trying again may heal it.
Result<StartingJob> start_job(const JobStart& start);

struct StartReport {
  enum class State : std::uint8_t {
    pending,
    runs,     // user code runs, or did
    stopped,  // it found a stop and did not start user code
    failed,   // or the process was killed before it came to user code
  } state = State::pending;
  Error error;  // of a failure, as start_job's
};

// What the child has come to; does not wait. `launch` and `task` as for start_job. Precondition:
// the child is not reaped.
StartReport hear_start(const StartingJob& starting, const LaunchRecord& launch, std::int32_t task);

// Where a program is looked for: the name itself if it has a '/', else each folder of
// PATH, as execvp does it but with the job's PATH.
std::vector<std::string> candidates(const std::string& program, const std::vector<std::string>& env);

// "execve /x: No such file or directory", with the cause where the file itself shows it:
// Windows line endings, an interpreter that is not there, no #! line. `file` is where
// the program is, for a process in another folder.
std::string explain_exec_failure(const std::string& program, const std::string& file, int error);

}  // namespace ym::local
