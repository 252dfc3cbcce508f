// Looking up and making principals.
#pragma once

#include <string_view>

#include "base/result.h"
#include "control/access/access_change.h"

namespace ym {

// By its id. Null: there is none.
const Principal* principal_of(const Tables& tables, std::string_view id);
// Whether its provider called it so at its last login, and no other user since.
bool has_login_name(const Principal& row, std::string_view name);
// By its handle. Null: there is none.
const Principal* find_handle(const Tables& tables, std::string_view handle);

// The row of a new principal of this handle. Errors: `invalid`: it is no handle.
Result<Principal> new_principal(std::string_view handle, const AccessContext& context);

// Who made a row or caused an event: the caller's principal, or "server".
std::string actor_of(const Caller& caller);

}  // namespace ym
