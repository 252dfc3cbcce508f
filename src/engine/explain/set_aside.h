// Which advance reservation keeps a job from room that there is.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// Of one cycle, at its end. What was found for a job holds for all of its shape with as long a stay and the same pass.
class SetAside {
 public:
  explicit SetAside(const Cycle& cycle) : cycle_(cycle) {}

  // The first by begin, then by name, that closes a node of these flavors to the job which has room for it; nothing:
  // none does.
  std::optional<Reason> find(Rank rank, const std::vector<FlavorIndex>& flavors);

 private:
  std::optional<Reason> look(Rank rank, const std::vector<FlavorIndex>& flavors, const Walltime& walltime) const;

  const Cycle& cycle_;
  // By shape, pass, end of the stay and flavors.
  std::map<std::tuple<ShapeIndex, Pass, Instant, std::vector<FlavorIndex>>, std::optional<Reason>> known_;
};

}  // namespace ym::engine
