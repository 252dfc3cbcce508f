// Whether a job could ever run, asked before it is submitted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/reason.h"
#include "model/job_spec.h"

namespace ym::engine {

struct Outlook {
  std::vector<Reason> never;  // why it cannot run now, by precedence, with the reasons it would get; empty: it could
  bool needs_containers = false;  // it names an image, and no cluster that its queue may use runs tasks in containers
};

// A job and the queue in which it is to wait. The queue has no fault. Both must outlive the call.
struct JobInQueue {
  const JobSpec& spec;
  const std::string& queue;
};

// One outlook per candidate. The state does not change. Cost: one look at all shapes, and for each candidate what a
// cycle does for one shape. The number of waiting jobs does not matter.
std::vector<Outlook> outlooks_of(const State& state, std::span<const JobInQueue> candidates, Instant now);

}  // namespace ym::engine
