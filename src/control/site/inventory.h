// What executors see of their clusters: which nodes there are, and whether who manages them answers.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "control/state/staging.h"

namespace ym {

// What is said of a node that has left its cluster while something of ours is on it.
inline constexpr std::string_view kLeaving = "is not there any more; leaves when nothing runs on it";

void stage_seen(Staging& staging, const DevicesAreUnhealthy& seen);
// All nodes of a cluster. What a person drained stays drained. A node whose name another cluster has is not taken in,
// and the log says so.
void stage_seen(Staging& staging, const NodesAreSeen& seen);
void stage_seen(Staging& staging, const ClusterIsSeen& seen);

// These nodes are given to nobody any more, and are removed once nothing uses them (stage_removals).
void stage_leaving(Staging& staging, const std::string& actor, const std::function<bool(const Node&)>& leaves);
// The node as it is now wanted, with the drain that a person has ordered.
Node with_drain_kept(const Tables& tables, Node node);

}  // namespace ym
