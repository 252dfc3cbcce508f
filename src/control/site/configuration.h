// The desired objects of the configuration file and of the executors' inventory, and the events that change the tables
// to match.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "control/state/staging.h"
#include "model/access/auth_settings.h"

namespace ym {

struct DesiredState {
  std::vector<Cluster> clusters;
  std::vector<Node> nodes;
  std::vector<Flavor> flavors;
  std::vector<Queue> queues;
  std::optional<AuthSettings> auth{};
  std::set<std::string> observed{};  // clusters for which the executor reports the nodes (NodesAreSeen)
};

// Stages only differences. Nodes and queues that are gone but in use are drained, and removed once nothing uses them
// (stage_removals). The server's own queue is there if none is configured (stage_own_queue). Objects that the API
// created (managed_by api) stay unchanged, unless the file now has an object of that name.
void stage_configuration(Staging& staging, const DesiredState& desired);

// Copies the unhealthy devices of known nodes into `desired`. The health monitor reports only changes, and does not
// notice that the configuration is read again.
DesiredState with_health_kept(const Tables& tables, DesiredState desired);

// Checks its rules. A cluster may leave only if nothing runs there: without its executor, its attempts would never be
// heard of again. No user or project may have two default queues (check_defaults). What `auth` names must exist
// (check_auth). Errors: `invalid`, names the jobs, queues or bindings and what to do.
Result<void> check_configuration(const Tables& tables, const DesiredState& desired);

// Stages effects that tell executors of elastic flavors that differ from `before`.
void stage_provisions(Staging& staging, const std::map<std::string, Flavor>& before);

// Removes drained nodes and queues that nothing uses any more.
void stage_removals(Staging& staging);

}  // namespace ym
