#include "control/access/on_behalf.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/access/principals.h"

namespace ym {
namespace {

bool may_impersonate(const Caller& gateway, const Tables& tables, AccessCache& cache, Instant now) {
  if (gateway.kind != CallerKind::principal) return false;
  const auto access = cache.access_of(gateway, tables, now);
  const bool in_token =
      !access.limits.permissions || access.limits.permissions->has(Permission::identities_impersonate);
  const auto gives = [](const Grant& grant) { return grant.permissions.has(Permission::identities_impersonate); };
  return in_token && std::ranges::any_of(access.rights->grants(), gives);
}

}  // namespace

Result<Caller> on_behalf(const Caller& gateway, std::string_view handle, const Tables& tables, AccessCache& cache,
                         Instant now) {
  if (!may_impersonate(gateway, tables, cache, now))
    return fail(ErrorCode::forbidden, fmt::format("YM-On-Behalf-Of: this needs the permission {}",
                                                  to_string(Permission::identities_impersonate)));
  const Principal* user = find_handle(tables, handle);
  if (user == nullptr || user->kind != PrincipalKind::user || is_disabled(*user))
    return fail(ErrorCode::forbidden,
                fmt::format("YM-On-Behalf-Of: there is no user '{}' that may do anything", handle));
  const auto rights = cache.rules(tables, now).bound_rights_of(user->name);
  constexpr Permissions kOverRights{Permission::roles_bind, Permission::roles_edit, Permission::identities_edit};
  const bool is_administrator = std::ranges::any_of(values_of<Permission>(), [&](Permission one) {
    return kOverRights.has(one) && rights.find(one, {}, cache.rules(tables, now).queues()) != nullptr;
  });
  if (is_administrator)
    return fail(ErrorCode::forbidden,
                fmt::format("YM-On-Behalf-Of: '{}' is an administrator, and acts itself", handle));
  Caller caller = gateway;
  caller.gateway = gateway.principal;
  caller.principal = user->name;
  return caller;
}

}  // namespace ym
