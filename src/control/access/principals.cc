#include "control/access/principals.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/access/names.h"
#include "model/access/login_settings.h"

namespace ym {

const Principal* principal_of(const Tables& tables, std::string_view id) {
  const auto row = tables.principals.find(std::string(id));
  return row == tables.principals.end() ? nullptr : &row->second;
}

bool has_login_name(const Principal& row, std::string_view name) {
  return row.login_name && same_login_name(*row.login_name, name);
}

const Principal* find_handle(const Tables& tables, std::string_view handle) {
  // Most principals have their first handle as id.
  if (const Principal* row = principal_of(tables, handle); row && row->handle == handle) return row;
  const auto named = [&](const auto& entry) { return entry.second.handle == handle; };
  const auto row = std::ranges::find_if(tables.principals, named);
  return row == tables.principals.end() ? nullptr : &row->second;
}

Result<Principal> new_principal(std::string_view handle, const AccessContext& context) {
  // The server's own user may have any name.
  if (context.caller.kind != CallerKind::server)
    if (auto fits = check_handle("/principal", handle); !fits) return std::unexpected(fits.error());
  // An id is not used a second time.
  if (principal_of(context.tables, handle))
    return fail(ErrorCode::conflict, fmt::format("'{}' was the name of another principal", handle));
  return Principal{.name = std::string(handle),
                   .handle = std::string(handle),
                   .created_at = context.now,
                   .created_by = actor_of(context.caller)};
}

std::string actor_of(const Caller& caller) { return caller.kind == CallerKind::server ? "server" : caller.principal; }

}  // namespace ym
