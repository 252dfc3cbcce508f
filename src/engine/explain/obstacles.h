// What stands in the way of jobs of a shape, in each flavor that could suit them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/explain/answers.h"
#include "engine/explain/capacity.h"
#include "engine/explain/lent_out.h"
#include "engine/explain/quota_keepers.h"

namespace ym::engine {

// What an option lacks for a shape.
struct Obstacles {
  Flavors flavors;
  std::optional<ReasonIndex> quota, capacity;
  // The first job that blocks backfill here.
  Rank quota_keeper = kNone, node_keeper = kNone;
  // Jobs of the shape with another priority get other reasons.
  bool by_priority = false;

  Rank keeper() const { return std::min(quota_keeper, node_keeper); }
};

// For a cycle at its end. All arguments must outlive it.
class ObstacleFinder {
 public:
  ObstacleFinder(const Cycle& cycle, Answers& told, const QuotaKeepers& keepers);

  // One for each option in which the job could run some day. If there is none: for each option for which nodes could be
  // made. Empty: it can never run.
  std::vector<Obstacles> find(Rank rank);

 private:
  // What the machines lack, and which job keeps some: the same for all shapes that need the same.
  struct MachineObstacles {
    std::optional<ReasonIndex> capacity;
    Rank keeper = kNone;
  };

  Obstacles of_option(Rank rank, const Flavors& flavors);
  void find_quota(Obstacles& found, const Shape& shape, Rank rank);
  void find_machines(Obstacles& found, const Shape& shape);
  MachineObstacles machine_obstacles(const Shape& part, FlavorIndex flavor);
  std::optional<Obstacles> of_new_nodes(Rank rank, const Option& option);
  bool add_what_is_lent(Reason& reason, Rank rank, Obstacles& found);
  void say_what_is_lent(Obstacles& found, Rank rank);

  const Cycle& cycle_;
  Answers& told_;
  const QuotaKeepers& keepers_;
  std::optional<FreeMachines> free_;
  IndexedGrid<NeedIndex, FlavorIndex, std::optional<MachineObstacles>> machines_;
  LentOutFinder lent_out_;
};

}  // namespace ym::engine
