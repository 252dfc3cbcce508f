// Chooses implementations: the executor of each cluster.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "control/controller.h"
#include "control/site/configuration.h"
#include "spec/documents.h"

namespace ym {

struct Wiring {
  std::map<std::string, std::unique_ptr<Executor>> executors;  // by cluster
  std::map<std::string, std::string> kinds;                    // name of the executor, such as "local"; by cluster

  Controller::Executors ports() const;
};

// Properties of the server that executors need.
struct Site {
  std::filesystem::path state_dir;
  std::string url_remote;     // address of the server for other machines
  std::string instance;       // mark of this server's jobs, if several servers share a cluster
  bool shares_state = false;  // other servers may lead the same state, on other machines
};

// Makes an executor for each cluster of the configuration.
Result<Wiring> make_wiring(const Configuration& configuration, const Site& site, const Clock& clock);

// After a reload: passes the configured nodes to executors that take their nodes from the configuration.
void tell_nodes(const Configuration& configuration, const Wiring& wiring);

// The configuration with the nodes that the executors report.
Result<DesiredState> desired_state(const Configuration& configuration, const Wiring& wiring);

// Reads logs of clusters that are no longer configured, below the state directory: logs of this machine and of pods.
std::function<Result<LogChunk>(const std::string& cluster, const LogQuery&)> left_logs(
    const std::filesystem::path& state_dir);

}  // namespace ym
