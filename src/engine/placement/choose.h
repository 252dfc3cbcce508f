// Where a gang goes, within one flavor.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/state/inventory.h"
#include "model/job.h"

namespace ym::engine {

// Nodes of one cluster, by name: task 0 gets the first.
struct Nodes {
  Index cluster = kNone;
  std::vector<Index> nodes;
};

struct Choice {
  Nodes nodes;
  std::vector<std::uint64_t> devices;  // bits, by task
};

// The place that the gang gets; nothing: it has none then. `barred` says by node who keeps it;
// kNone: nobody. One way to choose nodes is offered, best_fit.h; others stand beside it and
// are told apart here.
std::optional<Choice> choose(const Inventory& inventory, Index flavor, const GangNeed& need,
                             const std::vector<Index>& barred, When when = When::now);

// By names. Precondition: the nodes are there.
std::vector<TaskPlacement> placement_of(const Inventory& inventory, const std::vector<Index>& nodes,
                                        const std::vector<std::uint64_t>& devices);

}  // namespace ym::engine
