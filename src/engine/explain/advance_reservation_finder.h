// Which advance reservation keeps a job from room that there is.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// For one cycle, at its end. A result is reused for all jobs of the shape with the same end of walltime and the same
// pass.
class AdvanceReservationFinder {
 public:
  AdvanceReservationFinder(const Inputs& in, const PendingEntries& pending, const Tried& tried)
      : in_(in), pending_(pending), tried_(tried) {}

  // The first advance reservation, by begin and then by name, that closes a node of these flavors to the job although
  // the node has room; nothing: there is none.
  std::optional<Reason> find(Rank rank, const std::vector<FlavorIndex>& flavors);

 private:
  std::optional<Reason> look(Rank rank, const std::vector<FlavorIndex>& flavors, const Walltime& walltime) const;

  const Inputs& in_;
  const PendingEntries& pending_;
  const Tried& tried_;
  // By shape, pass, end of the walltime, and flavors.
  std::map<std::tuple<ShapeIndex, Pass, Instant, std::vector<FlavorIndex>>, std::optional<Reason>> known_;
};

}  // namespace ym::engine
