// Where implementations are chosen: the executor of each cluster.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "control/configuration.h"
#include "control/controller.h"
#include "spec/documents.h"

namespace ym {

struct Wiring {
  std::map<std::string, std::unique_ptr<Executor>> executors;  // by cluster
  std::map<std::string, std::string> kinds;                    // of them: "local"; by cluster

  Controller::Executors ports() const;
};

// What of the server its executors work with.
struct Site {
  std::filesystem::path state_dir;
  std::string url_elsewhere;  // as other machines reach the server
  std::string instance;       // whose jobs they are, where several servers share a cluster
  bool shares_state = false;  // other servers lead at other times, on other machines
};

// One executor for each cluster of the configuration.
Result<Wiring> make_wiring(const Configuration& configuration, const Site& site, const Clock& clock);

// The configuration was read again: executors that take their nodes from it are told of those that it has now.
void tell_nodes(const Configuration& configuration, const Wiring& wiring);

// The configuration with the nodes that the executors found.
Result<DesiredState> desired_state(const Configuration& configuration, const Wiring& wiring);

// Reads logs below the state directory of clusters that are not configured any more: of this machine, and of pods.
std::function<Result<LogChunk>(const std::string& cluster, const LogQuery&)> left_logs(
    const std::filesystem::path& state_dir);

}  // namespace ym
