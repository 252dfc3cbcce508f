#include "executor/local/supervisor/verdict.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <string>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/numbers.h"
#include "executor/local/attempt/signals.h"
#include "model/resources.h"

namespace ym::local {
namespace {

std::string exit_message(int code, bool shell) {
  if (code == 0) return {};
  auto text = "exit code " + std::to_string(code);
  if (shell && code == 127) text += " (the shell found no such command, or no interpreter for the script)";
  if (shell && code == 126) text += " (the shell may not execute the command)";
  return text;
}

std::string signal_message(int signal) {
  auto text = "killed by " + signal_name(signal);
  const char* words = ::sigdescr_np(signal);
  if (words) text += " (" + std::string(words) + ")";
  if (signal == SIGKILL) text += ", not by yardmaster";
  return text;
}

// The kernel counts both kinds together. So it is unknown whether the limit was reached, but the limit itself is known.
std::string oom_message(std::int64_t limit_bytes) {
  const auto limit = limit_bytes > 0 ? " of " + format_bytes(limit_bytes) : std::string();
  return "out of memory: the kernel killed it at its memory limit" + limit +
         ", or because the machine ran out of memory";
}

std::string stop_message(WhyStopped why) {
  switch (why) {
    case WhyStopped::cancel: return "cancelled";
    case WhyStopped::preemption: return "preempted";
    case WhyStopped::gang_failure: return "stopped because another task of its gang failed";
    case WhyStopped::start_timeout: return "stopped because its gang did not start in time";
    case WhyStopped::time_limit: return "reached its time limit";
  }
  return {};
}

std::optional<EndedBy> ended_by(WhyStopped why) {
  switch (why) {
    case WhyStopped::cancel: return EndedBy::cancelled;
    case WhyStopped::preemption: return EndedBy::preempted;
    case WhyStopped::time_limit: return EndedBy::time_limit;
    case WhyStopped::gang_failure:
    case WhyStopped::start_timeout: break;  // the end decides
  }
  return std::nullopt;
}

}  // namespace

TaskExit classify(const Ending& ending) {
  TaskExit exit{.forced = ending.forced};
  if (WIFSIGNALED(ending.wait_status)) exit.signal = WTERMSIG(ending.wait_status);
  else exit.exit_code = WEXITSTATUS(ending.wait_status);
  exit.by = exit.signal ? EndedBy::signal : EndedBy::exit;
  if (ending.stopped) {
    exit.by = ended_by(*ending.stopped).value_or(exit.by);
    exit.message = stop_message(*ending.stopped);
    if (ending.forced) exit.message += "; killed when its grace was over";
  } else if (ending.out_of_memory && exit.exit_code != 0) {
    exit.by = EndedBy::oom;
    exit.message = oom_message(ending.memory_limit);
  } else {
    exit.message = exit.signal ? signal_message(*exit.signal) : exit_message(*exit.exit_code, ending.shell);
  }
  return exit;
}

TaskExit could_not_start(const Error& error) {
  return {.by = EndedBy::start_failed, .message = error.message, .permanent = !error.retryable};
}

TaskExit had_too_little_memory(std::int64_t limit_bytes) {
  return {.by = EndedBy::start_failed,
          .message = "out of memory before user code began: the memory limit is " + format_bytes(limit_bytes) +
                     "; ask for more (resources: {memory: 1GiB})",
          .permanent = true};
}

TaskExit port_was_taken(std::int64_t port) {
  return {.by = EndedBy::start_failed,
          .message = "the port " + std::to_string(port) + " for its rendezvous was taken by another program"};
}

std::int64_t machine_oom_kills() {
  return number_behind("oom_kill", read_file(AT_FDCWD, "/proc/vmstat", std::size_t{1} << 20).value_or(std::string()));
}

}  // namespace ym::local
