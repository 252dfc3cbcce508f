// Permissions: what a route or a command asks of its caller, and what a role gives. Each is `kind.verb`.
//
// A permission is asked at a target (scope.h): a job's project and queue, a queue, a cluster's node, or the site.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/enum_names.h"

namespace ym {

enum class Permission : std::uint8_t {
  jobs_list,    // see that the job is there: its id, owner, queue, state, resources and times
  jobs_get,     // see all of it, with its command and environment
  jobs_logs,    // read what it prints
  jobs_create,  // make jobs in the project, and have one's own jobs there
  jobs_cancel,
  jobs_hold,   // hold and release
  jobs_retry,  // submit it again
  queues_get,
  queues_use,   // let one's jobs wait and run in the queue
  queues_edit,  // make, change and remove
  queues_stop,  // hold, drain and resume
  nodes_get,
  nodes_drain,
  policies_get,
  policies_edit,
  reservations_get,
  reservations_edit,
  projects_get,
  projects_edit,
  roles_get,   // see roles and bindings
  roles_edit,  // make and change roles
  roles_bind,  // give roles that one holds
  identities_get,
  identities_edit,
  identities_impersonate,  // act on behalf of others
  tokens_get,              // see those of others
  tokens_create,           // for others
  tokens_revoke,           // of others
  audit_read,
  metrics_read
};
constexpr std::string_view to_string(Permission value) {
  switch (value) {
    case Permission::jobs_list: return "jobs.list";
    case Permission::jobs_get: return "jobs.get";
    case Permission::jobs_logs: return "jobs.logs";
    case Permission::jobs_create: return "jobs.create";
    case Permission::jobs_cancel: return "jobs.cancel";
    case Permission::jobs_hold: return "jobs.hold";
    case Permission::jobs_retry: return "jobs.retry";
    case Permission::queues_get: return "queues.get";
    case Permission::queues_use: return "queues.use";
    case Permission::queues_edit: return "queues.edit";
    case Permission::queues_stop: return "queues.stop";
    case Permission::nodes_get: return "nodes.get";
    case Permission::nodes_drain: return "nodes.drain";
    case Permission::policies_get: return "policies.get";
    case Permission::policies_edit: return "policies.edit";
    case Permission::reservations_get: return "reservations.get";
    case Permission::reservations_edit: return "reservations.edit";
    case Permission::projects_get: return "projects.get";
    case Permission::projects_edit: return "projects.edit";
    case Permission::roles_get: return "roles.get";
    case Permission::roles_edit: return "roles.edit";
    case Permission::roles_bind: return "roles.bind";
    case Permission::identities_get: return "identities.get";
    case Permission::identities_edit: return "identities.edit";
    case Permission::identities_impersonate: return "identities.impersonate";
    case Permission::tokens_get: return "tokens.get";
    case Permission::tokens_create: return "tokens.create";
    case Permission::tokens_revoke: return "tokens.revoke";
    case Permission::audit_read: return "audit.read";
    case Permission::metrics_read: return "metrics.read";
  }
  return {};
}

// A set of permissions. A value.
class Permissions {
 public:
  constexpr Permissions() = default;
  constexpr Permissions(std::initializer_list<Permission> members) {
    for (const Permission one : members) add(one);
  }
  explicit constexpr Permissions(std::span<const Permission> members) {
    for (const Permission one : members) add(one);
  }
  static constexpr Permissions all() {
    Permissions set;
    for (const Permission one : values_of<Permission>()) set.add(one);
    return set;
  }

  constexpr void add(Permission one) { bits_ |= bit(one); }
  constexpr bool has(Permission one) const { return (bits_ & bit(one)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool contains(Permissions other) const { return (other.bits_ & ~bits_) == 0; }

  constexpr Permissions operator|(Permissions other) const { return Permissions(bits_ | other.bits_); }
  constexpr Permissions operator&(Permissions other) const { return Permissions(bits_ & other.bits_); }
  constexpr Permissions without(Permissions other) const { return Permissions(bits_ & ~other.bits_); }
  constexpr Permissions& operator|=(Permissions other) { return *this = *this | other; }
  constexpr bool operator==(const Permissions&) const = default;

 private:
  static_assert(count_of_values<Permission>() <= 64);
  explicit constexpr Permissions(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(Permission one) { return std::uint64_t{1} << static_cast<unsigned>(one); }

  std::uint64_t bits_ = 0;
};

}  // namespace ym
