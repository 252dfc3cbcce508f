#include "control/access/access.h"

#include <algorithm>

#include "model/job.h"

namespace ym {

bool gateway_may(const Access& access, Permission permission, const Target& target) {
  if (!access.gateway) return true;
  return kOnBehalf.has(permission) &&
         access.gateway->find(Permission::identities_impersonate, target, access.rules->queues()) != nullptr;
}

Verdict decide(const Access& access, Permission permission, const Target& target, std::string_view owner) {
  const QueueTree& queues = access.rules->queues();
  const Grant* grant = access.rights->find(permission, target, queues);
  const bool is_own = !owner.empty() && owner == access.principal && kOfOwner.has(permission);
  const bool as_owner = !grant && is_own;
  if (as_owner) grant = access.rights->find(Permission::jobs_create, {.project = target.project}, queues);
  if (!grant) return Denied{.missing = permission};
  if (!gateway_may(access, permission, target)) return Denied{.missing = Permission::identities_impersonate};
  if (!access.limits.permit(permission, target, queues)) return Denied{.missing = permission, .by_token = true};
  return Allowed{.grant = grant, .as_owner = as_owner};
}

bool holds(const Access& access, Permissions permissions, const Scope& scope) {
  return std::ranges::all_of(values_of<Permission>(), [&](Permission one) {
    return !permissions.has(one) || allows(access, one, target_of(scope));
  });
}

bool holds(const Access& access, const Rights& rights) {
  return std::ranges::all_of(rights.grants(),
                             [&](const Grant& grant) { return holds(access, grant.permissions, grant.scope); });
}

Target target_of(const Job& job) { return {.project = job.project, .queue = job.queue}; }

Visibility sight_of(const Access& access, const Target& job, std::string_view owner) {
  if (allows(access, Permission::jobs_get, job, owner)) return Visibility::whole;
  const bool is_listed = allows(access, Permission::jobs_list, job, owner);
  const bool uses_queue = allows(access, Permission::queues_use, {.queue = job.queue});
  const auto shown = uses_queue ? access.rules->visibility_of(job.project) : Visibility::hidden;
  return is_listed ? std::max(shown, Visibility::outline) : shown;
}

}  // namespace ym
