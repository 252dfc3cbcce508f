#include "fault_injection/incarnation.h"

#include <algorithm>
#include <utility>

namespace ym::sim {

Incarnation::Incarnation(std::unique_ptr<Store> store, const Options& options)
    : store_(std::move(store), options.canary, options.die),
      clock_(options.steady, options.wall_is_ahead, store_.last_time()) {
  for (const auto& cluster : options.desired.clusters) {
    std::vector<Node> nodes;
    std::ranges::copy_if(options.desired.nodes, std::back_inserter(nodes),
                         [&](const Node& node) { return node.cluster == cluster.name; });
    executors_.try_emplace(cluster.name, UnreliableExecutor::Parts{.cluster = cluster.name,
                                                                   .nodes = std::move(nodes),
                                                                   .machines = options.machines,
                                                                   .clock = options.steady,
                                                                   .seed = options.seed,
                                                                   .after_effect = [this] { store_.after_effect(); },
                                                                   .canary = options.canary});
  }
}

Result<void> Incarnation::begin(const Options& options,
                                std::function<void(const Committed&, const Tables&)> committed) {
  StepServer::Parts parts{.store = store_, .executors = {}, .wall = clock_, .steady = options.steady};
  for (auto& [cluster, executor] : executors_) parts.executors[cluster] = &executor;
  ControlOptions control{.controller = {.version = "world"}, .settings = options.settings};
  auto server = StepServer::open(std::move(parts), std::move(control), options.desired,
                                 {.committed = std::move(committed), .look = [this](auto& inbox) {
                                    for (auto& [cluster, executor] : executors_)
                                      for (auto& seen : executor.take()) inbox.emplace_back(std::move(seen));
                                  }});
  if (!server) return std::unexpected(server.error());
  server_ = std::move(*server);
  return {};
}

std::optional<Instant> Incarnation::next() const {
  auto next = server_->next();
  for (const auto& [cluster, executor] : executors_)
    if (const auto at = executor.next()) next = std::min(next.value_or(*at), *at);
  return next;
}

}  // namespace ym::sim
