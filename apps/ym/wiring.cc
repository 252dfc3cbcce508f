#include "wiring.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "executor/kubernetes/pods/kept_logs.h"
#include "executor/local/local_executor.h"
#include "executor/local/log_reader.h"
#include "executor/prefixed/prefixed_executor.h"
#include "executor/simulated/simulated_executor.h"
#include "own_attempts.h"
#include "remote_executors.h"

namespace ym {
namespace {

// The supervisor is installed beside this program.
std::filesystem::path supervisor_path() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ym-supervisor";
}

// Each running task and each client takes a descriptor here. Jobs get the limit with which this program was started,
// because a higher one may not suit them.
std::int64_t raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const auto before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::int64_t>(before);
}

Result<std::unique_ptr<Executor>> make_local(const ClusterConfiguration& cluster, const Site& site,
                                             const Clock& clock) {
  const auto supervisor = supervisor_path();
  if (!std::filesystem::exists(supervisor))
    return fail(ErrorCode::io, fmt::format("{} is missing; put it beside ym", supervisor.string()));
  LocalOptions options{.state_dir = site.state_dir, .supervisor = supervisor, .cluster = cluster.cluster.name};
  options.nodes = cluster.nodes;
  if (cluster.log_cap) options.log_cap = *cluster.log_cap;
  options.open_files = raise_open_files();
  auto made = make_local_executor(std::move(options), clock);
  if (!site.shares_state) return made;
  auto epochs = OwnEpochs::read(site.state_dir);
  if (!epochs) return std::unexpected(epochs.error());
  return with_own_attempts_only(std::move(made), std::move(*epochs));
}

Result<std::unique_ptr<Executor>> make_executor(const ClusterConfiguration& cluster, const Site& site,
                                                const Clock& clock) {
  if (cluster.cluster.executor == "simulated")
    return make_simulated_executor({.nodes = cluster.nodes, .calls_per_second = cluster.calls_per_second}, clock);
  if (cluster.cluster.executor == "local") return make_local(cluster, site, clock);
  auto made = cluster.slurm ? make_slurm(cluster, site, clock) : make_kubernetes(cluster, site, clock);
  if (!made) made.error().message = fmt::format("cluster '{}': {}", cluster.cluster.name, made.error().message);
  if (!made || cluster.node_prefix.empty()) return made;
  return with_node_prefix(std::move(*made), cluster.node_prefix);
}

// Only the local executor keeps its state below one directory, so there can be only one.
Result<void> check_one_is_local(const Configuration& configuration) {
  const auto is_local = [](const ClusterConfiguration& c) { return c.cluster.executor == "local"; };
  if (std::ranges::count_if(configuration.clusters, is_local) <= 1) return {};
  const auto second = std::ranges::find_if(std::ranges::find_if(configuration.clusters, is_local) + 1,
                                           configuration.clusters.end(), is_local);
  return fail(ErrorCode::invalid,
              fmt::format("cluster '{}': only one cluster can have the executor 'local'", second->cluster.name));
}

// A cluster has the nodes that its executor reports, beside configured ones.
bool makes_nodes(const Configuration& configuration, const std::string& cluster) {
  return std::ranges::any_of(configuration.flavors,
                             [&](const Flavor& flavor) { return flavor.elastic && flavor.cluster == cluster; });
}

}  // namespace

Controller::Executors Wiring::ports() const {
  Controller::Executors ports;
  for (const auto& [cluster, executor] : executors) ports[cluster] = executor.get();
  return ports;
}

Result<Wiring> make_wiring(const Configuration& configuration, const Site& site, const Clock& clock) {
  if (auto checked = check_one_is_local(configuration); !checked) return std::unexpected(checked.error());
  Wiring wiring;
  for (const auto& cluster : configuration.clusters) {
    auto made = make_executor(cluster, site, clock);
    if (!made) return std::unexpected(made.error());
    wiring.executors[cluster.cluster.name] = std::move(*made);
    wiring.kinds[cluster.cluster.name] = cluster.cluster.executor;
  }
  return wiring;
}

std::function<Result<LogChunk>(const std::string& cluster, const LogQuery&)> left_logs(
    const std::filesystem::path& state_dir) {
  return [state_dir](const std::string& cluster, const LogQuery& query) {
    auto chunk = local::read_task_log(state_dir, query);
    if (chunk || chunk.error().code != ErrorCode::not_found) return chunk;
    return kubernetes::KeptLogs(pod_log_dir(state_dir, cluster), 0).read(query);
  };
}

void tell_nodes(const Configuration& configuration, const Wiring& wiring) {
  for (const auto& cluster : configuration.clusters) {
    const auto executor = wiring.executors.find(cluster.cluster.name);
    if (executor == wiring.executors.end()) continue;
    if (auto* simulated = dynamic_cast<SimulatedCluster*>(executor->second.get())) simulated->set_nodes(cluster.nodes);
  }
}

Result<DesiredState> desired_state(const Configuration& configuration, const Wiring& wiring) {
  DesiredState desired{.flavors = configuration.flavors, .queues = configuration.queues, .auth = configuration.auth};
  for (const auto& cluster : configuration.clusters) {
    const auto executor = wiring.executors.find(cluster.cluster.name);
    if (executor == wiring.executors.end()) {
      return fail(ErrorCode::conflict,
                  fmt::format("cluster '{}' is new; restart the server to connect it", cluster.cluster.name));
    }
    if (const auto& kind = wiring.kinds.at(cluster.cluster.name); kind != cluster.cluster.executor) {
      return fail(
          ErrorCode::conflict,
          fmt::format("cluster '{}' has the executor '{}', and '{}' in the file; restart the server to change it",
                      cluster.cluster.name, kind, cluster.cluster.executor));
    }
    desired.clusters.push_back(cluster.cluster);
    desired.clusters.back().identity = executor->second->identity();
    if (makes_nodes(configuration, cluster.cluster.name)) desired.observed.insert(cluster.cluster.name);
    if (is_remote_executor(cluster.cluster.executor)) {
      desired.observed.insert(cluster.cluster.name);
      continue;
    }
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
