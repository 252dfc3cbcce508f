// Within: whether a job stays within nominal quota when it takes quota back from another queue.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/preemption/lawful.h"

namespace ym::engine {

// Holds as long as nothing is claimed, taken or given back.
class Within {
 public:
  Within(const Claimant& claimant, Own own) : claimant_(claimant), own_(own) {}
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  // Whether it does against jobs of this queue. Precondition: the queue is of the same tree.
  bool against(QueueIndex queue);

 private:
  bool find(QueueIndex queue);

  const Claimant& claimant_;
  Own own_;
  std::optional<std::vector<ResourceVector>> own_held_;  // once it matters: by flavor of the claimant
  std::map<QueueIndex, bool> known_;                     // by queue
  std::map<QueueIndex, bool>::const_iterator last_ =
      known_.end();  // that was asked for: those of one queue stand together
};

}  // namespace ym::engine
