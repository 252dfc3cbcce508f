// Within: against whom a job that takes back what was lent stays within nominal quota.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/preemption/lawful.h"

namespace ym::engine {

// Against whom the claimant stays within nominal quota on its side, with what is claimed now. Of a moment.
class Within {
 public:
  Within(const Claimant& claimant, Own own) : claimant_(claimant), own_(own) {}
  // Those of this queue. Precondition: it is of the same tree.
  bool against(Index queue);

 private:
  bool find(Index queue);

  const Claimant& claimant_;
  Own own_;
  std::optional<std::vector<ResourceVector>> own_held_;  // once it matters: by flavor of the claimant
  std::map<Index, bool> known_;                          // by queue
};

}  // namespace ym::engine
