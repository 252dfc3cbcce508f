// Becoming a process of its own, which the end of the server does not touch.
#pragma once

#include <sys/types.h>

#include <string>

#include "executor/local/attempt/fd.h"

namespace ym::local {

// What user code gets back, as the server had it.
struct Inherited {
  mode_t umask = 0022;
  std::string oom_score;  // empty if ours could not be changed
  Fd parent_link;         // to the executor; may be absent
};

// Leaves the session of the caller (the calling process ends with status 0, and
// the rest goes on in its child), closes what was open, becomes a subreaper, and
// asks to be spared when memory runs out.
Inherited become_daemon();

}  // namespace ym::local
