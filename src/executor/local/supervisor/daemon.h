// Becoming a process of its own, which the end of the server does not touch.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"

namespace ym::local {

// What user code gets back, as the server had it.
struct Inherited {
  mode_t umask = 0022;
  std::string oom_score;  // empty if ours could not be changed
  Fd parent_link;         // to the executor; may be absent
};

// Begins a session of its own, closes what was open, becomes a subreaper, and asks to be
// spared when memory runs out. No fork: the server reaps it, or whoever inherits it.
// Precondition: the process leads no process group, as one that was just spawned.
Inherited become_daemon();

}  // namespace ym::local
