// Refusal: the answer to a caller that lacks a right.
#pragma once

#include "base/result.h"
#include "control/access/access.h"

namespace ym {

// Errors: `forbidden`: names the permission and where it is missing.
Result<void> require(const Access& access, Permission permission, const Target& target, std::string_view owner = {});

// The refusal of a token whose scopes do not have the permission at the target.
std::unexpected<Error> limited_token(Permission permission);

}  // namespace ym
