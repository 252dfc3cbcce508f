// What executors see of their clusters: the nodes, and whether the cluster's manager answers.
#pragma once

#include <functional>
#include <string>

#include "control/state/staging.h"

namespace ym {

void stage_seen(Staging& staging, const DevicesAreUnhealthy& seen);
// `seen` has all nodes of a cluster. A node that a user drained stays drained. If another cluster has a node of the
// same name, the node is not used, and the log says so.
void stage_seen(Staging& staging, const NodesAreSeen& seen);
void stage_seen(Staging& staging, const ClusterIsSeen& seen);

// Withholds these nodes from all jobs. They are removed once nothing uses them (stage_removals).
void stage_leaving(Staging& staging, const std::string& actor, const std::function<bool(const Node&)>& leaves);
// The node as it is now wanted, with a user's drain if there is one.
Node with_drain_kept(const Tables& tables, Node node);

}  // namespace ym
