#include "wiring.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <utility>

#include "executor/local/local_executor.h"
#include "executor/simulated/simulated_executor.h"

namespace ym {
namespace {

// The supervisor is installed beside this program.
std::filesystem::path supervisor_path() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ym-supervisor";
}

// Every running task takes a descriptor here, every client one. The jobs get the limit
// that we were started with: what they think of a higher one is not known.
std::int64_t raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const auto before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::int64_t>(before);
}

Result<std::unique_ptr<Executor>> make_local(const ClusterConfiguration& cluster,
                                             const std::filesystem::path& state_dir, const Clock& clock) {
  const auto supervisor = supervisor_path();
  if (!std::filesystem::exists(supervisor))
    return fail(ErrorCode::io, fmt::format("{} is missing; it has to stand beside ym", supervisor.string()));
  LocalOptions options{.state_dir = state_dir, .supervisor = supervisor, .cluster = cluster.cluster.name};
  options.nodes = cluster.nodes;
  if (cluster.log_cap) options.log_cap = *cluster.log_cap;
  options.open_files = raise_open_files();
  return make_local_executor(std::move(options), clock);
}

}  // namespace

Controller::Executors Wiring::ports() const {
  Controller::Executors ports;
  for (const auto& [cluster, executor] : executors) ports[cluster] = executor.get();
  return ports;
}

Result<Wiring> make_wiring(const Configuration& configuration, const std::filesystem::path& state_dir,
                           const Clock& clock) {
  Wiring wiring;
  bool local = false;
  for (const auto& cluster : configuration.clusters) {
    auto& executor = wiring.executors[cluster.cluster.name];
    if (cluster.cluster.executor == "simulated") {
      executor = make_simulated_executor({.nodes = cluster.nodes, .calls_per_second = cluster.calls_per_second}, clock);
      continue;
    }
    // Only the local executor keeps state below one directory, so there can be one.
    if (std::exchange(local, true))
      return fail(ErrorCode::invalid, fmt::format("cluster '{}': one cluster with the executor 'local' can be "
                                                  "configured",
                                                  cluster.cluster.name));
    auto made = make_local(cluster, state_dir, clock);
    if (!made) return std::unexpected(made.error());
    executor = std::move(*made);
  }
  return wiring;
}

Result<DesiredState> desired_state(const Configuration& configuration, const Wiring& wiring) {
  DesiredState desired{.flavors = configuration.flavors, .queues = configuration.queues};
  for (const auto& cluster : configuration.clusters) {
    const auto executor = wiring.executors.find(cluster.cluster.name);
    if (executor == wiring.executors.end()) {
      return fail(ErrorCode::conflict,
                  fmt::format("cluster '{}' is new; restart the server to connect it", cluster.cluster.name));
    }
    desired.clusters.push_back(cluster.cluster);
    if (!cluster.discover) {
      desired.nodes.insert(desired.nodes.end(), cluster.nodes.begin(), cluster.nodes.end());
      continue;
    }
    auto found = executor->second->inventory();
    if (!found) return std::unexpected(found.error());
    desired.nodes.insert(desired.nodes.end(), found->begin(), found->end());
  }
  return desired;
}

}  // namespace ym
