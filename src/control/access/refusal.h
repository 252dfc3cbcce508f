// Refusal: the answer to a caller that lacks a right.
#pragma once

#include "base/result.h"
#include "control/access/access.h"

namespace ym {

// Errors: `forbidden`: names the permission and where it is missing.
Result<void> require(const Access& access, Permission permission, const Target& target, std::string_view owner = {});

// The token of the request does not have the permission at the target, but its principal may have it.
std::unexpected<Error> limited_token(Permission permission);

}  // namespace ym
