#include "control/access/sight.h"

#include <algorithm>

#include "control/access/token_commands.h"

namespace ym {

bool holds_somewhere(const Access& access, Permission permission) {
  return std::ranges::any_of(access.rights->grants(), [&](const Grant& grant) {
    return grant.permissions.has(permission) && grant.scope.kind != ScopeKind::cluster &&
           access.limits.permit(permission, target_of(grant.scope), access.rules->queues()) &&
           gateway_may(access, permission, target_of(grant.scope));
  });
}

bool gives(const Access& access, const Binding& binding) {
  return std::ranges::any_of(access.rights->grants(),
                             [&](const Grant& grant) { return grant.binding == binding.name; });
}

bool sees_all(const Access& access) {
  using enum Permission;
  return access.limits.is_none() && holds(access,
                                          {jobs_get, queues_get, nodes_get, policies_get, reservations_get,
                                           projects_get, roles_get, identities_get, tokens_get, audit_read},
                                          {});
}

bool Sight::sees_queue(const std::string& queue) {
  const auto may = [&](std::string_view name) {
    return allows(access_, Permission::queues_get, {.queue = name}) ||
           allows(access_, Permission::queues_use, {.queue = name});
  };
  if (may(queue)) return true;
  if (above_) return above_->contains(queue);
  above_.emplace();
  const QueueTree& tree = access_.rules->queues();
  for (const std::string& name : access_.rules->queue_names()) {
    if (!may(name)) continue;
    // Above a queue that was added before, all are there.
    for (auto at = tree.parent_of(name); !at.empty() && above_->emplace(at).second;) at = tree.parent_of(at);
  }
  return above_->contains(queue);
}

bool Sight::sees_usage_of(const std::string& queue, std::string_view user) const {
  return user == access_.principal || allows(access_, Permission::jobs_list, {.queue = queue});
}

bool Sight::sees_nodes_of(std::string_view cluster) const {
  return allows(access_, Permission::nodes_get, {.cluster = cluster}) ||
         holds_somewhere(access_, Permission::nodes_get);
}

bool Sight::sees(const AdvanceReservation& reservation) {
  if (holds_somewhere(access_, Permission::reservations_get) || reservation.is_maintenance()) return true;
  const auto& users = reservation.users;
  return std::ranges::find(users, access_.principal) != users.end() ||
         std::ranges::any_of(reservation.queues, [&](const std::string& queue) { return sees_queue(queue); });
}

void Sight::leave_out_others(AdvanceReservation& reservation) {
  if (holds_somewhere(access_, Permission::reservations_get)) return;
  std::erase_if(reservation.users, [&](const std::string& user) { return user != access_.principal; });
  std::erase_if(reservation.queues, [&](const std::string& queue) { return !sees_queue(queue); });
}

bool Sight::sees(const Binding& binding) const {
  return gives(access_, binding) || allows(access_, Permission::roles_get, target_of(binding.scope));
}

bool Sight::sees(const Project& project) const {
  return allows(access_, Permission::projects_get, {.project = project.name});
}

bool Sight::sees(const Principal& principal) const {
  return principal.name == access_.principal || allows(access_, Permission::identities_get, {});
}

bool Sight::sees(const ProvisionedGroup&) const { return allows(access_, Permission::identities_get, {}); }

bool Sight::sees(const AccessToken& token) const { return sees_token(access_, caller_, token); }

// A row that was removed has only its name left, and no place.
struct Sight::OfEvent {
  Sight& sight;

  template <class Payload>
    requires AboutJob<Payload> || AboutAttempt<Payload>
  std::optional<bool> operator()(const Payload&) const {
    return std::nullopt;
  }
  std::optional<bool> operator()(const JobSubmitted&) const { return std::nullopt; }
  // These show nothing of users.
  std::optional<bool> operator()(const ServerStarted&) const { return true; }
  std::optional<bool> operator()(const UsageSampled&) const { return true; }
  std::optional<bool> operator()(const LogSealed&) const { return has(Permission::audit_read, {}); }
  std::optional<bool> operator()(const RequestAudited&) const { return has(Permission::audit_read, {}); }

  std::optional<bool> operator()(const ClusterSet& e) const { return sight.sees_nodes_of(e.row.name); }
  std::optional<bool> operator()(const ClusterRemoved& e) const { return sight.sees_nodes_of(e.name); }
  std::optional<bool> operator()(const NodeSet& e) const { return sight.sees_nodes_of(e.row.cluster); }
  std::optional<bool> operator()(const NodeRemoved&) const { return sight.sees_nodes_of({}); }
  std::optional<bool> operator()(const FlavorSet&) const { return sight.sees_nodes_of({}); }
  std::optional<bool> operator()(const FlavorRemoved&) const { return sight.sees_nodes_of({}); }
  std::optional<bool> operator()(const NodesWanted&) const { return sight.sees_nodes_of({}); }
  std::optional<bool> operator()(const QueueSet& e) const { return sight.sees_queue(e.row.name); }
  std::optional<bool> operator()(const QueueRemoved& e) const { return has(Permission::queues_get, {.queue = e.name}); }
  std::optional<bool> operator()(const ReservationSet& e) const {
    return e.row.is_maintenance() || holds_somewhere(sight.access_, Permission::reservations_get);
  }
  std::optional<bool> operator()(const ReservationRemoved&) const {
    return holds_somewhere(sight.access_, Permission::reservations_get);
  }
  std::optional<bool> operator()(const PolicySet&) const { return has(Permission::policies_get); }
  std::optional<bool> operator()(const PolicyRemoved&) const { return has(Permission::policies_get); }
  std::optional<bool> operator()(const PrincipalSet& e) const { return sight.sees(e.row); }
  std::optional<bool> operator()(const PrincipalRemoved&) const { return has(Permission::identities_get); }
  std::optional<bool> operator()(const ProvisionedGroupSet& e) const { return sight.sees(e.row); }
  std::optional<bool> operator()(const ProvisionedGroupRemoved&) const { return has(Permission::identities_get); }
  std::optional<bool> operator()(const TokenSet& e) const { return sight.sees(e.row); }
  std::optional<bool> operator()(const TokenRemoved&) const { return has(Permission::tokens_get); }
  // Roles are for all to read (AccessReads::roles).
  std::optional<bool> operator()(const RoleSet&) const { return true; }
  std::optional<bool> operator()(const RoleRemoved&) const { return true; }
  std::optional<bool> operator()(const BindingSet& e) const { return sight.sees(e.row); }
  std::optional<bool> operator()(const BindingRemoved&) const { return has(Permission::roles_get); }
  std::optional<bool> operator()(const ProjectSet& e) const { return sight.sees(e.row); }
  std::optional<bool> operator()(const ProjectRemoved& e) const {
    return has(Permission::projects_get, {.project = e.name});
  }

  std::optional<bool> operator()(const HistorySegmentSet&) const { return has(Permission::audit_read); }
  std::optional<bool> operator()(const HistorySegmentRemoved&) const { return has(Permission::audit_read); }
  std::optional<bool> operator()(const ErasureSet&) const { return has(Permission::audit_read); }
  std::optional<bool> operator()(const ErasureRemoved&) const { return has(Permission::audit_read); }

 private:
  bool has(Permission permission, const Target& target = {}) const { return allows(sight.access_, permission, target); }
};

std::optional<bool> Sight::sees(const EventPayload& payload) { return std::visit(OfEvent{*this}, payload); }

}  // namespace ym
