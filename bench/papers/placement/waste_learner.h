// Learns what will be idle of a cluster's GPUs when it is full, by simulation: Monte Carlo policy iteration with a
// value that is a sum over the nodes' idle parts (after Sutton and Barto, "Reinforcement Learning", ch. 5; every
// visit).
//
// In each round the cluster is filled some times by the policy that the rounds before led to; each idle part of a node
// that changed is a visit to its cell, worth what of those GPUs is idle in the end. The first round follows the
// engine's fragmentation gradient descent. Pods are drawn from the list's mix, never in the order of a test.
#pragma once

#include <cstdint>

#include "papers/placement/traces.h"
#include "papers/placement/waste_cells.h"
#include "papers/placement/waste_table.h"

namespace ym::sim::placement {

struct LearnOptions {
  std::int64_t rounds = 25;  // after the first one
  std::int64_t runs = 8;     // of a round
  double memory = 0.9;       // what earlier rounds count for, in each
  std::uint64_t seed = 1;
  CellOptions cells{};
  std::int64_t type_cost_milli = 300;  // of types that some pods insist on (type_costs.h)
};

// The same options, list and fleet give the same table.
WasteTable::Content learn_waste(const PodList& list, const Fleet& fleet, const LearnOptions& options = {});

}  // namespace ym::sim::placement
