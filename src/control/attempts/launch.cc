#include "control/attempts/launch.h"

#include <utility>

namespace ym {
namespace {

bool runs_remotely(const Tables& tables, const Attempt& attempt) {
  const auto cluster = tables.clusters.find(attempt.cluster);
  return cluster != tables.clusters.end() && is_remote_executor(cluster->second.executor);
}

}  // namespace

std::optional<JobContact> contact_of(const Tables& tables, const Attempt& attempt, const JobContacts& contacts,
                                     Instant now) {
  return runs_remotely(tables, attempt) ? contacts.of_remote(attempt.key(), now) : contacts.of(attempt.key(), now);
}

LaunchEffect launch_effect(const Tables& tables, const Attempt& attempt, const JobContacts& contacts, Instant now) {
  const Job& job = tables.jobs.at(attempt.job);
  LaunchRequest request{.token = attempt.token(),
                        .spec = job.spec,
                        .job_name = job.name,
                        .owner = job.owner,
                        .group_index = job.group_index,
                        .placement = attempt.placement,
                        .nodes = {},
                        .checkpoints = job.checkpoints,
                        .contact = contact_of(tables, attempt, contacts, now)};
  for (const auto& placed : attempt.placement) {
    const auto node = tables.nodes.find(placed.node);
    request.nodes.push_back(node == tables.nodes.end() ? Node{.name = placed.node, .cluster = attempt.cluster}
                                                       : node->second);
  }
  return {attempt.cluster, std::move(request)};
}

}  // namespace ym
