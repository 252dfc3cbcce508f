// Committed: what a commit did, for those who follow the state.
#pragma once

#include <memory>
#include <vector>

#include "model/event.h"

namespace ym {

// What is told after each commit, in this order.
struct Committed {
  std::shared_ptr<const std::vector<Event>> events;
  std::vector<JobId> finished;
};

}  // namespace ym
