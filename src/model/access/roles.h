// The built-in roles, each a set of permissions. A site adds its own (Role); these cannot be changed.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/access/permission.h"

namespace ym {

// A role of the site's own.
struct Role {
  static constexpr std::string_view kTable = "roles", kRow = "role";
  static constexpr bool kConcernsEngine = false;
  std::string name;
  std::vector<Permission> permissions;  // sorted
  std::string description;
  bool operator==(const Role&) const = default;
};

inline constexpr std::string_view kAdminRole = "admin";
inline constexpr std::string_view kUserRole = "user";

struct BuiltInRole {
  std::string_view name;
  Permissions permissions;
  std::string_view description;  // what it is for
};

namespace built_in {

using enum Permission;

inline constexpr Permissions kLook{jobs_list,    jobs_get,         queues_get,   nodes_get,
                                   policies_get, reservations_get, projects_get, metrics_read};
inline constexpr Permissions kActOnJobs{jobs_logs, jobs_cancel, jobs_hold, jobs_retry};

}  // namespace built_in

// In the order in which the documentation shows them.
inline constexpr std::array kBuiltInRoles{
    BuiltInRole{"viewer", built_in::kLook | Permissions{Permission::jobs_logs}, "reads; changes nothing"},
    BuiltInRole{"queue-user", Permissions{Permission::queues_get, Permission::queues_use, Permission::nodes_get},
                "may let jobs wait and run in the queue"},
    BuiltInRole{"member", Permissions{Permission::jobs_create, Permission::projects_get},
                "makes jobs in the project, and acts on its own jobs there"},
    BuiltInRole{kUserRole,
                built_in::kLook | built_in::kActOnJobs | Permissions{Permission::jobs_create, Permission::queues_use},
                "makes jobs and acts on all jobs; administers nothing"},
    BuiltInRole{"operator",
                built_in::kLook | built_in::kActOnJobs |
                    Permissions{Permission::queues_stop, Permission::nodes_drain, Permission::reservations_edit},
                "acts on the jobs of others; holds and drains queues, drains and reserves nodes"},
    BuiltInRole{"project-admin",
                built_in::kLook | built_in::kActOnJobs |
                    Permissions{Permission::jobs_create, Permission::projects_edit, Permission::roles_get,
                                Permission::roles_bind},
                "acts on all jobs of the project; changes the project and its members"},
    BuiltInRole{"queue-admin",
                built_in::kLook | built_in::kActOnJobs |
                    Permissions{Permission::queues_use, Permission::queues_edit, Permission::queues_stop,
                                Permission::roles_get, Permission::roles_bind},
                "changes the queues below the queue, within its quota, and who uses them"},
    BuiltInRole{"auditor",
                built_in::kLook | Permissions{Permission::roles_get, Permission::identities_get, Permission::tokens_get,
                                              Permission::audit_read},
                "reads everything but logs; changes nothing"},
    BuiltInRole{kAdminRole, Permissions::all(), "does everything"},
};

// Null: there is no built-in role of that name.
constexpr const BuiltInRole* find_built_in_role(std::string_view name) {
  for (const BuiltInRole& role : kBuiltInRoles)
    if (role.name == name) return &role;
  return nullptr;
}

}  // namespace ym
