// Nodes for jobs of given sizes, on few nodes each, with few of the jobs moved that do not change their size.
//
// The last part of the elastic policy's core: a pure function of its arguments.
//
// Jobs whose size is unchanged stay. The others are placed, the largest first: on whole nodes that are free, of which
// its own old ones come first, or from which small jobs can be moved most cheaply; what is left of it, and small jobs,
// on the fullest node that has room, or on one from which smaller jobs can be moved, or spread over the most free
// nodes. Jobs that are moved are placed again like the others. Ties go to the smaller node and the earlier job.
#pragma once

#include <vector>

#include "papers/elastic/layout.h"

namespace ym::sim::elastic {

// GPUs by node.
using NodeCounts = std::vector<Count>;

struct PlacementJob {
  NodeCounts held;    // one number for each node of the cluster
  Count wanted = 0;   // GPUs
  double weight = 0;  // to move it costs 1 + weight * GPUs
};

enum class NodeSharing {
  free,
  // On no node two jobs that lie on several nodes, as these disturb each other's traffic. A job that would have to
  // break the rule gets whole nodes and goes without the rest.
  one_spread_job,
};

struct PlacementOptions {
  Cluster cluster{};
  NodeSharing sharing = NodeSharing::free;
};

// By job; `wanted` GPUs or, where that cannot be, less. Preconditions: what is held is there, and all that is wanted
// together is no more than the cluster has.
std::vector<NodeCounts> place_with_few_moves(const std::vector<PlacementJob>& jobs, const PlacementOptions& options);

NodeCounts node_counts(const Allocation& allocation, Count nodes);
// In the order of the nodes.
Allocation allocation_of(const NodeCounts& counts);

}  // namespace ym::sim::elastic
