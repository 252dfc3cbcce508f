// AccessToken: a secret that proves who sends a request. Only its hash is kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace ym {

// A request has the rights of the token's principal that are also within the token's scopes.
struct AccessToken {
  static constexpr std::string_view kTable = "access_tokens", kRow = "token";
  static constexpr bool kConcernsEngine = false;
  std::string name;  // its id: the first digits of the hash
  std::string hash;  // lower-case hex
  std::string principal;
  // Roles ("viewer"), permissions ("jobs.get") and scopes ("project:vision"). A right has to be in one of the roles or
  // permissions, if there are any, and within one of the scopes, if there are any.
  std::vector<std::string> scopes;
  Instant created_at;
  std::optional<Instant> expires_at;  // nothing: it does not expire
  std::string created_by;             // principal
  std::string note;
  bool operator==(const AccessToken&) const = default;
};

}  // namespace ym
