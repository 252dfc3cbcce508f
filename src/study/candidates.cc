#include "study/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "spec/files/configuration_file.h"

namespace ym::study {
namespace {

Result<sim::SiteOptions> site_of(const Configuration& configuration, const std::string& path) {
  sim::SiteOptions site{.settings = configuration.settings, .begin = {}};
  site.desired = {.flavors = configuration.flavors, .queues = configuration.queues};
  for (const auto& cluster : configuration.clusters) {
    if (cluster.discover)
      return fail(
          ErrorCode::invalid,
          fmt::format(
              "{}: cluster '{}' has no `nodes`; write them, for example - {{names: \"n[1-8]\", gpus: \"a100:8\"}}",
              path, cluster.cluster.name));
    site.desired.clusters.push_back(cluster.cluster);
    site.desired.nodes.insert(site.desired.nodes.end(), cluster.nodes.begin(), cluster.nodes.end());
  }
  return site;
}

std::unexpected<Error> no_flavor(const std::string& flavor, const std::string& queue, const std::string& path) {
  auto error = fail_field(fmt::format("{}/quota/{}", queue, flavor),
                          fmt::format("there is no flavor '{}' in the cluster's file", flavor));
  error.error().message = path + ": " + error.error().message;
  return error;
}

// A quota for a flavor that the cluster does not have would have no effect.
Result<void> check_flavors(const sim::SiteOptions& site, const QueueDocument& document, const std::string& path) {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::find(site.desired.flavors, name, &Flavor::name) != site.desired.flavors.end() ||
           (site.desired.flavors.empty() && name == kDefaultFlavor);
  };
  for (std::size_t i = 0; i < document.queues.size(); ++i) {
    if (!document.queues[i].quota) continue;
    for (const auto& [flavor, quota] : *document.queues[i].quota)
      if (!is_there(flavor)) return no_flavor(flavor, document.pointers[i], path);
  }
  return {};
}

}  // namespace

Result<void> put_on(sim::SiteOptions& site, PolicyDocument policy, const std::string& path,
                    const OnWarnings& on_warnings) {
  on_warnings(path, policy.warnings);
  if (auto checked = check_flavors(site, policy.queues, path); !checked) return checked;
  if (!policy.queues.queues.empty()) site.desired.queues = std::move(policy.queues.queues);
  site.settings = policy.whole ? policy.settings : over(policy.settings, site.settings);
  return {};
}

Result<std::vector<Candidate>> candidates_of(const SimulateOptions& options, const Listener& listener) {
  const auto configuration = load_configuration(options.cluster);
  if (!configuration) return std::unexpected(configuration.error());
  listener.warnings(options.cluster, configuration->warnings);
  auto site = site_of(*configuration, options.cluster);
  if (!site) return std::unexpected(site.error());
  if (options.policies.empty())
    return std::vector{Candidate{std::filesystem::path(options.cluster).filename(), std::move(*site)}};
  std::vector<Candidate> candidates;
  for (const auto& path : options.policies) {
    Candidate candidate{std::filesystem::path(path).filename(), *site};
    auto policy = load_policy(path);
    if (!policy) return std::unexpected(policy.error());
    if (auto put = put_on(candidate.site, std::move(*policy), path, listener.warnings); !put)
      return std::unexpected(put.error());
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

sim::JobRules rules_of(const SimulateOptions& options, const sim::SiteOptions& site) {
  sim::JobRules rules{.grace = options.grace, .checkpoints = options.checkpoints, .start_time = options.start_time};
  rules.gpus_per_node = 1;
  for (const auto& node : site.desired.nodes)
    rules.gpus_per_node = std::max(rules.gpus_per_node, static_cast<std::int64_t>(node.devices.size()));
  for (const auto& queue : site.desired.queues) rules.queues.insert(queue.name);
  for (const auto& queue : site.desired.queues) rules.queues.erase(queue.parent);  // cohorts take no jobs
  return rules;
}

}  // namespace ym::study
