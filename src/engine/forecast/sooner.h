// What would let a waiting job start now: changes of its request. Each is proven by a cycle in which only that request
// differs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace ym::engine {

// A key of the job file and its new value.
struct SoonerChange {
  std::string key;    // "nodes", "resources.gpus", "queue", "time_limit", "placement.topology.required"
  std::string value;  // "2", "a100:8", "research", "90m", "none"
  bool operator==(const SoonerChange&) const = default;
};

inline constexpr std::size_t kMostChanges = 4;

class Sooner {
 public:
  // `changes_for` changes the state and restores it before it returns. Both must outlive this. `go_on` is called before
  // each cycle; false: the search ends. Empty: it goes on.
  Sooner(State& state, const Policy& policy, Instant now, std::function<bool()> go_on = {});

  // At most kMostChanges; each is enough by itself: no required domain, another type of GPU, another queue, fewer nodes
  // (the largest number that starts; none of an elastic job, which waits for its smallest size), a shorter limit. A
  // queue is no way around quota: it is offered only if it limits, in each flavor that it may use, all resources that
  // the job asks for and that its own queue limits. None for a job that is not queued, or that starts without a change.
  // Cost: at most some twenty cycles.
  std::vector<SoonerChange> changes_for(JobId job);

 private:
  State& state_;
  Policy policy_;
  Instant now_;
  std::function<bool()> go_on_;
  Plan plan_;  // without any change
};

}  // namespace ym::engine
