// What would let a waiting job start now: changes of what it asks for, each proven by a cycle in which it
// asks for that and everything else is as it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace ym::engine {

// A key of the job file and what is to be written there.
struct SoonerChange {
  std::string key;    // "nodes", "resources.gpus", "queue", "time_limit", "placement.topology.required"
  std::string value;  // "2", "a100:8", "research", "90m", "none"
  bool operator==(const SoonerChange&) const = default;
};

inline constexpr std::size_t kMostChanges = 4;

class Sooner {
 public:
  // The state is varied while it is asked, and as before afterwards. Both must outlive this.
  // `go_on`: asked before each cycle; false: nothing more is found. Empty: it goes on.
  Sooner(State& state, const Policy& policy, Instant now, std::function<bool()> go_on = {});

  // At most kMostChanges, of which each does for itself: another domain of the topology, another type of
  // GPU, another queue, fewer nodes (as many as will do; none of an elastic job, which waits for its smallest
  // size), a shorter limit. Quota is no way out: a queue is offered only if it limits, in each flavor that it may use,
  // all that the job asks for and its own queue limits. None of a job that does not wait for its turn, or that starts
  // without any change. Cost: some twenty cycles at the most.
  std::vector<SoonerChange> changes_for(JobId job);

 private:
  State& state_;
  Policy policy_;
  Instant now_;
  std::function<bool()> go_on_;
  Plan plan_;  // of the world as it is
};

}  // namespace ym::engine
