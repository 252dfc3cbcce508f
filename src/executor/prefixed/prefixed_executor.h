// An executor with a prefix before the node names of its cluster.
//
// Node names are unique over all clusters, but two clusters may each have a node1. Calls to the executor behind it use
// the cluster's names; its reports get the prefix. Claims of tasks keep the cluster's name, for people who look there.
// Each name has exactly one counterpart: a node name that begins with the prefix anyway gets it a second time. An
// attempt from before the prefix is found under its own node name: one that does not begin with the prefix, or that its
// tasks have claimed. start() asks the cluster nothing.
#pragma once

#include <memory>
#include <string>

#include "executor/executor.h"

namespace ym {

// Preconditions: not null, and a prefix that is not empty.
std::unique_ptr<Executor> with_node_prefix(std::unique_ptr<Executor> executor, std::string prefix);

}  // namespace ym
