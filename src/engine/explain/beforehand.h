// Whether a job could ever run, asked before it is there.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/reason.h"
#include "model/job_spec.h"

namespace ym::engine {

struct Outlook {
  std::vector<Reason> never;  // as things are it cannot run: why, by precedence, as it would be told; none: it could
  bool needs_containers = false;  // it names an image, and no cluster that its queue may use runs tasks in containers
};

// Of a job in this queue, which has no fault. Nothing of the state changes; it costs about what is found for one shape
// in a cycle, however many jobs wait.
Outlook outlook_of(const State& state, const JobSpec& spec, const std::string& queue, Instant now);

}  // namespace ym::engine
