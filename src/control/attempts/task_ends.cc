#include "control/attempts/task_ends.h"

#include <csignal>
#include <cstring>
#include <string_view>

namespace ym {
namespace {

constexpr int kFirstOfSignals = 128;  // a shell's status is 128 + n if signal n ended its child

std::optional<int> number_of(std::string_view signal_name) {
  if (signal_name.starts_with("SIG")) signal_name.remove_prefix(3);
  for (int signal = 1; signal < 32; ++signal) {
    const char* known = ::sigabbrev_np(signal);
    if (known && signal_name == known) return signal;
  }
  return std::nullopt;
}

// EX_TEMPFAIL: "not done, try again".
bool is_stop_status(int status, const JobSpec& spec) {
  return status == 0 || status == 75 || (status > kFirstOfSignals && is_stop_signal(status - kFirstOfSignals, spec));
}

Launcher launcher_of(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec) {
  return spec.launcher_of(static_cast<std::int32_t>(&task - attempt.tasks.data()));
}

}  // namespace

bool failed(const TaskExit& exit) { return exit.by != EndedBy::exit || exit.exit_code != 0; }

bool was_asked_to_stop(const TaskExit& exit) { return exit.by == EndedBy::preempted; }

// A task that writes to a peer that has stopped gets SIGPIPE.
bool is_stop_signal(int signal, const JobSpec& spec) {
  return signal == SIGTERM || signal == SIGPIPE || signal == number_of(spec.stop.signal);
}

bool agent_was_asked_to_stop(const TaskExit& exit, Launcher launcher) {
  return launcher == Launcher::torchrun && was_asked_to_stop(exit) && exit.exit_code == 1;
}

bool agent_was_asked_to_stop(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec) {
  return agent_was_asked_to_stop(*task.exit, launcher_of(attempt, task, spec));
}

bool ended_as_asked(const TaskExit& exit, const JobSpec& spec, Launcher launcher) {
  switch (exit.by) {
    case EndedBy::start_failed: return !exit.permanent;
    case EndedBy::oom:
    case EndedBy::time_limit:
    case EndedBy::lost: return false;
    case EndedBy::exit:
    case EndedBy::signal:
    case EndedBy::preempted:
    case EndedBy::cancelled: break;
  }
  if (exit.forced) return true;
  if (exit.signal) return is_stop_signal(*exit.signal, spec);
  if (!exit.exit_code) return was_asked_to_stop(exit);
  return is_stop_status(*exit.exit_code, spec) || agent_was_asked_to_stop(exit, launcher);
}

bool ended_as_asked(const Attempt& attempt, const TaskStatus& task, const JobSpec& spec) {
  return ended_as_asked(*task.exit, spec, launcher_of(attempt, task, spec));
}

}  // namespace ym
