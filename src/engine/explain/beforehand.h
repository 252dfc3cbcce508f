// Whether a job could ever run, asked before it is there.
#pragma once

#include <span>
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

// A job and the queue that it is to wait in, which has no fault. Both outlive the question.
struct JobInQueue {
  const JobSpec& spec;
  const std::string& queue;
};

// By candidate. Nothing of the state changes; in all it costs one look at the shapes that there are, and for each
// candidate about what is found for one shape in a cycle, however many jobs wait.
std::vector<Outlook> outlooks_of(const State& state, std::span<const JobInQueue> candidates, Instant now);

}  // namespace ym::engine
