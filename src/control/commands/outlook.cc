#include "control/commands/outlook.h"

#include <fmt/format.h>

#include "engine/explain/outlook.h"

namespace ym {
namespace {

// "lab (local), hpc (slurm)"
std::string clusters_text(const Tables& tables) {
  std::string text;
  for (const auto& [name, cluster] : tables.clusters)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, cluster.executor);
  return text;
}

SpecOutlook told(const engine::Outlook& found, const Tables& tables, const JobSpec& spec, const std::string& queue) {
  SpecOutlook outlook;
  if (found.needs_containers)
    outlook.image_problem = fmt::format(
        "names an image, but no cluster that queue '{}' may use runs tasks in containers; leave it out, or name a "
        "queue with a cluster of Kubernetes (there are: {})",
        queue, clusters_text(tables));
  // `ym why` will show the first one.
  if (!found.never.empty())
    outlook.warnings.push_back(
        fmt::format("{} can never run on today's nodes and quotas, and waits until they change: {}", spec.name,
                    engine::describe(found.never.front())));
  return outlook;
}

}  // namespace

std::vector<SpecOutlook> outlooks_of(const Staging& staging, const std::vector<JobSpec>& specs,
                                     const std::vector<std::string>& queues) {
  std::vector<engine::JobInQueue> candidates;
  for (std::size_t i = 0; i < specs.size(); ++i) candidates.push_back({specs[i], queues[i]});
  const auto found = engine::outlooks_of(staging.state().ledger, candidates, staging.now());
  std::vector<SpecOutlook> outlooks;
  for (std::size_t i = 0; i < specs.size(); ++i)
    outlooks.push_back(told(found[i], staging.tables(), specs[i], queues[i]));
  return outlooks;
}

}  // namespace ym
