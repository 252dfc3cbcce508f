// Names of roles, projects, principals and groups.
#pragma once

#include <string_view>

#include "base/result.h"

namespace ym {

// Errors of all: `invalid`, at `pointer`.
Result<void> check_name(std::string_view pointer, std::string_view name);  // of a role or project
Result<void> check_handle(std::string_view pointer, std::string_view handle);
// 1 to 256 bytes without control characters: identity providers choose the names of groups.
Result<void> check_group(std::string_view pointer, std::string_view group);

}  // namespace ym
