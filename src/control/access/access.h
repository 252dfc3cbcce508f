// Access: what a caller may do. The one function that decides is decide(): commands and reads ask it alike.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "control/access/access_rules.h"
#include "control/access/token_limits.h"

namespace ym {

struct Job;
struct Trial;

// A principal's rights, within the limits of the token that it used. A value of one moment.
struct Access {
  std::string principal;
  std::shared_ptr<const AccessRules> rules;  // never null
  std::shared_ptr<const Rights> rights;      // never null
  TokenLimits limits;
  std::shared_ptr<const Rights> gateway{};  // of the principal that acts on its behalf; null: none
  std::shared_ptr<const Trial> trial{};     // in AccessMode::trial (denial_book.h)
  // Of the one that acts on its behalf: its id, and its trial.
  std::string gateway_name{};
  std::shared_ptr<const Trial> gateway_trial{};
  Instant now{};
};

// It is allowed, because of this grant.
struct Allowed {
  const Grant* grant = nullptr;  // of Access::rights
  bool as_owner = false;         // the job is the caller's own, and the grant lets it have jobs in the project
};
struct Denied {
  Permission missing = Permission::jobs_list;
  bool by_token = false;  // the principal has the right, and its token does not
};
using Verdict = std::variant<Allowed, Denied>;

// Whether the one that acts on the caller's behalf may do so here. True: none does.
bool gateway_may(const Access& access, Permission permission, const Target& target);

// What may be done on behalf of another: what is about jobs, and no right over rights.
inline constexpr Permissions kOnBehalf{
    Permission::jobs_list,        Permission::jobs_get,  Permission::jobs_logs,    Permission::jobs_create,
    Permission::jobs_cancel,      Permission::jobs_hold, Permission::jobs_retry,   Permission::queues_get,
    Permission::queues_use,       Permission::nodes_get, Permission::policies_get, Permission::projects_get,
    Permission::reservations_get,
};

// Whether the caller has the permission at the target. On behalf of another, the one that acts also needs
// identities.impersonate at this target. `owner`: of the job that it is about; empty: it is about none.
// The owner of a job keeps what concerns its own jobs (kOfOwner) as long as it may make jobs in the project.
Verdict decide(const Access& access, Permission permission, const Target& target, std::string_view owner = {});

inline bool allows(const Access& access, Permission permission, const Target& target, std::string_view owner = {}) {
  return std::holds_alternative<Allowed>(decide(access, permission, target, owner));
}

// Whether the caller has all these permissions at the scope.
bool holds(const Access& access, Permissions permissions, const Scope& scope);
// Whether the caller has all these rights.
bool holds(const Access& access, const Rights& rights);

// What an owner may do with its jobs.
inline constexpr Permissions kOfOwner{Permission::jobs_list,   Permission::jobs_get,  Permission::jobs_logs,
                                      Permission::jobs_cancel, Permission::jobs_hold, Permission::jobs_retry};

// A job as a target: it is in its project and in its queue. The texts are the job's.
Target target_of(const Job& job);

// How much of a job the caller sees. A caller that may use its queue sees what the project shows (Visibility).
Visibility sight_of(const Access& access, const Target& job, std::string_view owner);

}  // namespace ym
