// Requests of `ym token create`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym {

struct TokenRequest {
  std::string principal;  // empty: the caller's own
  bool service = false;
  std::optional<std::string> role{};  // one more of the scopes
  std::optional<std::vector<std::string>> scopes{};
  std::optional<Duration> lifetime{};  // `ttl`
  std::string note{};
};

// One JSON object. Each member may be left out. Does not check that scopes exist.
// Errors: `invalid`, with a pointer to each wrong field.
Result<TokenRequest> parse_token_request(std::string_view json);

}  // namespace ym
