#include "control/access/rights.h"

#include <algorithm>

#include "model/access/roles.h"
#include "model/queue_cycle.h"

namespace ym {

QueueTree::QueueTree(const std::map<std::string, Queue>& queues) {
  for (const auto& [name, queue] : queues)
    if (!queue.parent.empty() && !is_in_cycle(queues, name)) parents_.emplace(name, queue.parent);
}

std::string_view QueueTree::parent_of(std::string_view queue) const {
  const auto found = parents_.find(queue);
  return found == parents_.end() ? std::string_view{} : std::string_view(found->second);
}

bool covers(const Scope& scope, const Target& target, const QueueTree& queues) {
  switch (scope.kind) {
    case ScopeKind::site: return true;
    case ScopeKind::project: return target.project == scope.name;
    case ScopeKind::cluster: return target.cluster == scope.name;
    case ScopeKind::queue:
      for (auto queue = target.queue; !queue.empty(); queue = queues.parent_of(queue))
        if (queue == scope.name) return true;
      return false;
  }
  return false;
}

Target target_of(const Scope& scope) {
  switch (scope.kind) {
    case ScopeKind::site: return {};
    case ScopeKind::project: return {.project = scope.name};
    case ScopeKind::queue: return {.queue = scope.name};
    case ScopeKind::cluster: return {.cluster = scope.name};
  }
  return {};
}

Rights Rights::all() {
  Rights rights;
  rights.add({.permissions = Permissions::all(), .scope = {}, .role = std::string(kAdminRole), .binding = {}});
  return rights;
}

Rights::Place& Rights::place_of(const Scope& scope, Permissions gained) {
  const auto in = [&](Places& places) -> Place& {
    places.permissions |= gained;
    return places.by_name[scope.name];
  };
  switch (scope.kind) {
    case ScopeKind::site: break;
    case ScopeKind::project: return in(projects_);
    case ScopeKind::queue: return in(queues_);
    case ScopeKind::cluster: return in(clusters_);
  }
  return site_;
}

void Rights::add(const Grant& grant) {
  Place& place = place_of(grant.scope, grant.permissions);
  place.permissions |= grant.permissions;
  place.grants.push_back(grants_.size());
  grants_.push_back(grant);
}

const Grant* Rights::find_in(const Place& place, Permission permission) const {
  if (!place.permissions.has(permission)) return nullptr;
  const auto has = [&](std::size_t grant) { return grants_[grant].permissions.has(permission); };
  return &grants_[*std::ranges::find_if(place.grants, has)];
}

const Grant* Rights::find_in(const Places& places, std::string_view name, Permission permission) const {
  if (name.empty() || !places.permissions.has(permission)) return nullptr;
  const auto place = places.by_name.find(name);
  return place == places.by_name.end() ? nullptr : find_in(place->second, permission);
}

const Grant* Rights::find(Permission permission, const Target& target, const QueueTree& queues) const {
  if (const Grant* grant = find_in(site_, permission)) return grant;
  if (const Grant* grant = find_in(projects_, target.project, permission)) return grant;
  if (const Grant* grant = find_in(clusters_, target.cluster, permission)) return grant;
  if (!queues_.permissions.has(permission)) return nullptr;
  for (auto queue = target.queue; !queue.empty(); queue = queues.parent_of(queue))
    if (const Grant* grant = find_in(queues_, queue, permission)) return grant;
  return nullptr;
}

bool Rights::hold(Permissions permissions, const Scope& scope, const QueueTree& queues) const {
  return std::ranges::all_of(values_of<Permission>(), [&](Permission one) {
    return !permissions.has(one) || find(one, target_of(scope), queues) != nullptr;
  });
}

bool Rights::include(const Rights& other, const QueueTree& queues) const {
  return std::ranges::all_of(other.grants_,
                             [&](const Grant& grant) { return hold(grant.permissions, grant.scope, queues); });
}

}  // namespace ym
