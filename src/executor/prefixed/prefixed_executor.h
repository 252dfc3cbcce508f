// An executor whose nodes have other names here than in their cluster: a prefix before their own.
//
// Names of nodes are unique over all clusters, and two clusters may each have a node1. The executor behind it is spoken
// to in its cluster's names; what it reports is told in ours. Claims of tasks keep the cluster's name, which is where
// one looks there. Each name has one counterpart: a node that begins with the prefix by itself gets it once more. What
// runs since before there was a prefix is found under its own name: one that does not begin with the prefix, or that
// its tasks have claimed. Starting asks the cluster nothing.
#pragma once

#include <memory>
#include <string>

#include "executor/executor.h"

namespace ym {

// Preconditions: an executor, and a prefix that is not empty.
std::unique_ptr<Executor> with_node_prefix(std::unique_ptr<Executor> executor, std::string prefix);

}  // namespace ym
