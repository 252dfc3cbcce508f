// Within: whether a job stays within nominal quota when it reclaims quota from another queue.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/preemption/lawful.h"

namespace ym::engine {

// Valid as long as nothing is claimed, taken or given back.
class Within {
 public:
  Within(const Claimant& claimant, Own own) : claimant_(claimant), own_(own) {}
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  // Whether it stays within against jobs of this queue. Precondition: the queue is of the same tree.
  bool against(QueueIndex queue);

 private:
  bool find(QueueIndex queue);

  const Claimant& claimant_;
  Own own_;
  std::optional<std::vector<ResourceVector>> own_held_;  // computed when needed: by flavor of the claimant
  std::map<QueueIndex, bool> known_;                     // by queue
  std::map<QueueIndex, bool>::const_iterator last_ =
      known_.end();  // the last queue asked for: candidates of one queue are consecutive
};

}  // namespace ym::engine
