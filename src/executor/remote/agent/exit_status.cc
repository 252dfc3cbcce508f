#include "executor/remote/agent/exit_status.h"

#include <signal.h>

#include "executor/remote/wire.h"

namespace ym::remote {

int exit_status(const TaskExit& exit) {
  if (exit.signal) return 128 + *exit.signal;
  if (!exit.exit_code) return exit.by == EndedBy::lost ? 128 + SIGKILL : kNotRunExit;
  if (*exit.exit_code != 0 || exit.by == EndedBy::exit) return *exit.exit_code;
  return exit.by == EndedBy::time_limit ? 124 : 128 + SIGTERM;
}

}  // namespace ym::remote
