// Committed: the changes of a commit, for readers that follow the state.
#pragma once

#include <memory>
#include <vector>

#include "model/event.h"

namespace ym {

// What readers get after each commit, in the order of commits.
struct Committed {
  std::shared_ptr<const std::vector<Event>> events;
  std::vector<JobId> finished;
};

}  // namespace ym
