// What the configuration file and the executors' inventory say there should be, and
// the events that bring the tables there.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "control/state/staging.h"

namespace ym {

struct DesiredState {
  std::vector<Cluster> clusters;
  std::vector<Node> nodes;
  std::vector<Flavor> flavors;
  std::vector<Queue> queues;
  std::set<std::string> observed{};  // clusters whose nodes their executors report (NodesAreSeen)
};

// Only differences become events. Nodes and queues that are gone but in use are
// drained, and removed once nothing uses them (stage_removals). The server's own queue
// is there if none is configured (stage_own_queue). What the API created (managed_by
// api) is left alone, unless the file now has an object of that name.
void stage_configuration(Staging& staging, const DesiredState& desired);

// Devices of nodes that are there are as healthy as they were: what watches them speaks of changes only, and knows
// nothing of a configuration that is read again.
DesiredState with_health_kept(const Tables& tables, DesiredState desired);

// Whether this configuration can be had: a cluster may leave it only when nothing runs
// there, because without its executor nothing would ever be heard of that again, and
// nobody may have two default queues (check_defaults).
// Errors: `invalid`, names the jobs or queues and what to do.
Result<void> check_configuration(const Tables& tables, const DesiredState& desired);

// Tells executors of elastic flavors that are others than these were.
void stage_provisions(Staging& staging, const std::map<std::string, Flavor>& before);

// Removes drained nodes and queues that nothing uses any more.
void stage_removals(Staging& staging);

}  // namespace ym
