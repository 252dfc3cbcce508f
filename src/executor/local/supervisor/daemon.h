// Detaches the supervisor from the server, so that it outlives it.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"

namespace ym::local {

// Values of the server that user code gets back.
struct Inherited {
  mode_t umask = 0022;
  std::string oom_score;  // empty if it could not be changed
  Fd parent_link;         // to the executor; may be absent
};

// Begins a session, closes open descriptors, becomes a subreaper, and lowers its OOM score. No fork: the server reaps
// it, or its new parent does. Precondition: the process leads no process group, as after posix_spawn.
Inherited become_daemon();

}  // namespace ym::local
