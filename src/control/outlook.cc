#include "control/outlook.h"

#include <fmt/format.h>

#include "engine/explain/beforehand.h"

namespace ym {
namespace {

// "lab (local), hpc (slurm)"
std::string clusters_text(const Tables& tables) {
  std::string text;
  for (const auto& [name, cluster] : tables.clusters)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, cluster.executor);
  return text;
}

}  // namespace

SpecOutlook outlook_of(const Staging& staging, const JobSpec& spec, const std::string& queue) {
  const auto found = engine::outlook_of(staging.world().ledger, spec, queue, staging.now());
  SpecOutlook outlook;
  if (found.needs_containers)
    outlook.image_problem = fmt::format(
        "names an image, but no cluster that queue '{}' may use runs tasks in containers; leave it out, or name a "
        "queue with a cluster of Kubernetes (there are: {})",
        queue, clusters_text(staging.tables()));
  // The first is what `ym why` is going to say.
  if (!found.never.empty())
    outlook.warnings.push_back(fmt::format("{} can never run as things are, and waits until they change: {}", spec.name,
                                           engine::describe(found.never.front())));
  return outlook;
}

}  // namespace ym
