#include "control/site/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "control/site/auth_configuration.h"
#include "control/site/default_queues.h"
#include "control/site/inventory.h"
#include "control/state/messages.h"

namespace ym {
namespace {

constexpr std::string_view kActor = "server";

template <class Row>
const Row* find(const std::map<std::string, Row>& rows, const std::string& name) {
  const auto it = rows.find(name);
  return it == rows.end() ? nullptr : &it->second;
}

template <class Row>
std::set<std::string> names_of(const std::vector<Row>& rows) {
  std::set<std::string> names;
  for (const auto& row : rows) names.insert(row.name);
  return names;
}

// The bindings at its scope go with it: a later object of this name is another one.
template <class Removed>
void remove_with_bindings(Staging& staging, const Scope& scope, Removed removed) {
  for (const auto& [id, binding] : std::map(staging.tables().bindings))
    if (binding.scope == scope) staging.add(std::string(kActor), BindingRemoved{id});
  staging.add(std::string(kActor), std::move(removed));
}

template <class SetEvent, class Row>
void set_if_changed(Staging& staging, const std::map<std::string, Row>& rows, const Row& wanted) {
  const Row* present = find(rows, wanted.name);
  if (!present || !(*present == wanted)) staging.add(std::string(kActor), SetEvent{wanted});
}

std::set<std::string> nodes_in_use(const Tables& tables) {
  std::set<std::string> used;
  for (const auto& [key, attempt] : tables.attempts) {
    if (attempt.state == AttemptState::ended) continue;
    for (const auto& task : attempt.placement) used.insert(task.node);
  }
  return used;
}

std::set<std::string> parents_in_use(const Tables& tables) {
  std::set<std::string> used;
  for (const auto& [name, queue] : tables.queues)
    if (!queue.parent.empty()) used.insert(queue.parent);
  return used;
}

void drain_missing_nodes(Staging& staging, const DesiredState& desired) {
  const auto wanted = names_of(desired.nodes);
  stage_leaving(staging, std::string(kActor), [&](const Node& node) {
    return !wanted.contains(node.name) && !desired.observed.contains(node.cluster);
  });
}

void close_missing_queues(Staging& staging, const std::set<std::string>& wanted) {
  for (const auto& [name, present] : std::map(staging.tables().queues)) {
    if (wanted.contains(name) || present.managed_by != ManagedBy::file || !present.accepts_jobs) continue;
    Queue closing = present;
    closing.accepts_jobs = false;
    staging.add(std::string(kActor), QueueSet{std::move(closing)});
  }
}

void remove_missing(Staging& staging, const DesiredState& desired) {
  const auto flavors = names_of(desired.flavors);
  for (const auto& [name, flavor] : std::map(staging.tables().flavors))
    if (!flavors.contains(name) && flavor.managed_by == ManagedBy::file)
      staging.add(std::string(kActor), FlavorRemoved{name});
  const auto clusters = names_of(desired.clusters);
  for (const auto& [name, cluster] : std::map(staging.tables().clusters))
    if (!clusters.contains(name)) remove_with_bindings(staging, {ScopeKind::cluster, name}, ClusterRemoved{name});
}

std::map<std::string, std::vector<std::string>> live_jobs_by_cluster(const Tables& tables) {
  std::map<std::string, std::vector<std::string>> jobs;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended) jobs[attempt.cluster].push_back(to_string(key.job));
  return jobs;
}

// How the cluster under this name differs from the one before. Nothing: it is the same.
std::optional<std::string> change_of(const Cluster& before, const Cluster& now) {
  if (before.executor != now.executor)
    return fmt::format("was run by the executor '{}' and is now by '{}'", before.executor, now.executor);
  const bool known = !before.identity.empty() && !now.identity.empty();
  if (!known || before.identity == now.identity) return std::nullopt;
  return fmt::format("was {} and is now {}", before.identity, now.identity);
}

// The server looks for an attempt on the cluster where it was launched. An attempt that is not seen there counts as
// lost, and the next attempt may run beside it.
Result<void> check_clusters(const Tables& tables, const DesiredState& desired) {
  for (const auto& [name, jobs] : live_jobs_by_cluster(tables)) {
    const auto wanted = std::ranges::find(desired.clusters, name, &Cluster::name);
    if (wanted == desired.clusters.end())
      return fail(ErrorCode::invalid,
                  fmt::format("cluster '{}' is not in the configuration any more, but jobs are still there: {}. Bring "
                              "the cluster back under this name, or cancel these jobs before it is taken out",
                              name, some_of(jobs)));
    const Cluster* before = find(tables.clusters, name);
    const auto change = before ? change_of(*before, *wanted) : std::nullopt;
    if (change)
      return fail(ErrorCode::invalid,
                  fmt::format("cluster '{}' {}, but jobs are still there: {}. Put it back as it was and cancel these "
                              "jobs or wait for their end, or give the new one a name of its own beside it",
                              name, *change, some_of(jobs)));
  }
  return {};
}

}  // namespace

DesiredState with_health_kept(const Tables& tables, DesiredState desired) {
  for (auto& node : desired.nodes) {
    const Node* present = find(tables.nodes, node.name);
    if (!present) continue;
    for (auto& device : node.devices) {
      const auto same = std::ranges::find(present->devices, device.id, &Device::id);
      if (same == present->devices.end() || same->healthy) continue;
      device.healthy = false;
      device.message = same->message;
    }
  }
  return desired;
}

void stage_configuration(Staging& staging, const DesiredState& desired) {
  const Tables& tables = staging.tables();
  for (auto cluster : desired.clusters) {
    if (const Cluster* present = find(tables.clusters, cluster.name)) {
      cluster.available = present->available;  // set by its executor only
      const bool is_known = !cluster.identity.empty() || cluster.executor != present->executor;
      if (!is_known) cluster.identity = present->identity;
    }
    set_if_changed<ClusterSet>(staging, tables.clusters, cluster);
  }
  for (const auto& node : desired.nodes) set_if_changed<NodeSet>(staging, tables.nodes, with_drain_kept(tables, node));
  for (auto flavor : desired.flavors) {
    // Only the scheduler sets the number of wanted nodes.
    if (const Flavor* present = find(tables.flavors, flavor.name)) flavor.wanted = present->wanted;
    set_if_changed<FlavorSet>(staging, tables.flavors, flavor);
  }
  for (const auto& queue : desired.queues) {
    const Queue* present = find(tables.queues, queue.name);
    set_if_changed<QueueSet>(staging, tables.queues, present ? following(*present, queue, staging.now()) : queue);
  }
  drain_missing_nodes(staging, desired);
  close_missing_queues(staging, names_of(desired.queues));
  stage_own_queue(staging);
  stage_auth(staging, desired.auth.value_or(AuthSettings{}));
  remove_missing(staging, desired);
  stage_removals(staging);
}

Result<void> check_configuration(const Tables& tables, const DesiredState& desired) {
  if (auto checked = check_clusters(tables, desired); !checked) return checked;
  if (auto checked = check_defaults(tables, desired.queues); !checked) return checked;
  return check_auth(tables, desired);
}

void stage_provisions(Staging& staging, const std::map<std::string, Flavor>& before) {
  for (const auto& [name, was] : before) {
    const Flavor* now = find(staging.tables().flavors, name);
    if (now && *now == was) continue;
    const bool moved = !now || !now->elastic || now->cluster != was.cluster;
    if (was.elastic && moved) {
      Flavor gone = was;
      gone.wanted = {};
      gone.elastic.reset();
      staging.then(ProvisionEffect{std::move(gone)});
    }
    if (now && now->elastic) staging.then(ProvisionEffect{*now});
  }
}

void stage_removals(Staging& staging) {
  const Tables& tables = staging.tables();
  const bool node_leaves = std::ranges::any_of(tables.nodes, [](const auto& entry) { return entry.second.leaving; });
  if (node_leaves) {
    const auto used = nodes_in_use(tables);
    for (const auto& [name, node] : std::map(tables.nodes))
      if (node.leaving && !used.contains(name)) staging.add(std::string(kActor), NodeRemoved{name});
  }
  const bool queue_leaves =
      std::ranges::any_of(tables.queues, [](const auto& entry) { return !entry.second.accepts_jobs; });
  if (!queue_leaves) return;
  // A parent becomes removable once its children are gone.
  for (bool removed = true; removed;) {
    removed = false;
    const auto parents = parents_in_use(tables);
    for (const auto& [name, queue] : std::map(tables.queues)) {
      if (queue.accepts_jobs || parents.contains(name) || staging.state().live_in_queue.contains(name)) continue;
      remove_with_bindings(staging, {ScopeKind::queue, name}, QueueRemoved{name});
      removed = true;
    }
  }
}

}  // namespace ym
