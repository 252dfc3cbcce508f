// Requests of `ym token create`: the user and the role.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ym {

struct TokenRequest {
  std::string principal;
  std::string role = "user";
};

// One JSON object: `principal`, and `role` if it is not "user". Does not check that the role exists.
// Errors: `invalid`, with a pointer to each wrong field.
Result<TokenRequest> parse_token_request(std::string_view json);

}  // namespace ym
