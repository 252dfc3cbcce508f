#include "sim/site/site.h"

#include <algorithm>
#include <utility>

#include "control/commands/submit.h"
#include "sim/site/null_store.h"

namespace ym::sim {
namespace {

std::map<std::string, VirtualExecutor> executors_for(const DesiredState& desired, const VirtualClock& clock) {
  std::map<std::string, std::vector<Node>> nodes;
  for (const auto& cluster : desired.clusters) nodes[cluster.name];
  for (const auto& node : desired.nodes) nodes[node.cluster].push_back(node);
  std::map<std::string, VirtualExecutor> executors;
  for (auto& [cluster, its] : nodes) executors.try_emplace(cluster, std::move(its), clock);
  return executors;
}

}  // namespace

Site::Site(const SiteOptions& options)
    : clock_(options.begin), store_(make_null_store()), executors_(executors_for(options.desired, clock_)) {}

StepServer::Parts Site::parts() {
  StepServer::Parts parts{.store = *store_, .executors = {}, .wall = clock_, .steady = clock_};
  for (auto& [cluster, executor] : executors_) parts.executors[cluster] = &executor;
  return parts;
}

Result<std::unique_ptr<Site>> Site::open(SiteOptions options, OnCommit on_commit) {
  std::unique_ptr<Site> site(new Site(options));
  ControlOptions control{
      .controller = {.version = "simulated"}, .settings = options.settings, .base = std::move(options.base)};
  control.settings.unfinished_jobs = static_cast<std::int64_t>(kMaxLiveJobs);
  control.settings.spec_bytes = std::numeric_limits<std::int64_t>::max();
  auto server = StepServer::open(site->parts(), std::move(control), options.desired,
                                 {.committed = std::move(on_commit), .look = [&site = *site](auto& inbox) {
                                    for (auto& [cluster, executor] : site.executors_)
                                      for (auto& seen : executor.take()) inbox.emplace_back(std::move(seen));
                                  }});
  if (!server) return std::unexpected(server.error());
  site->server_ = std::move(*server);
  return site;
}

std::optional<Instant> Site::next() const {
  auto next = server_->next();
  for (const auto& [cluster, executor] : executors_)
    if (const auto at = executor.next()) next = std::min(next.value_or(*at), *at);
  return next;
}

}  // namespace ym::sim
