// What a checked token of an issuer says of a user or of a workload. Pure: the signature was checked before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/access/login_settings.h"
#include "oidc/json.h"

namespace ym::login {

struct ProvenUser {
  std::string issuer, subject;
  std::string handle, display{}, email{};
  std::vector<std::string> groups{};
};

// Most groups of a user that count. A user with more is refused: rights must not depend on which are cut.
inline constexpr std::size_t kMostGroups = 2'000;

// Whether the provider says only that there are more groups than it names (Entra, beyond 200).
bool has_more_groups(const oidc::Json& claims);

// Reads the user by the pointers of the issuer's settings. Errors: `unauthenticated`: it has no subject, or no text as
// its name; `unavailable`: its groups are not known. Groups that are not known are never taken for none.
Result<ProvenUser> read_user(const Issuer& issuer, const oidc::Json& claims);

// Whether the claims are what the rule requires.
bool fits(const ExchangeRule& rule, const oidc::Json& claims);

// The first rule of the issuer that the token's claims fit. Null: none.
const ExchangeRule* find_rule(const std::vector<ExchangeRule>& rules, const std::string& issuer,
                              const oidc::Json& claims);

// Text that is the same for the same token only: of its issuer and its id (`jti`), or what was signed if it has none.
// The signature may have several forms.
std::string proof_of(const std::string& issuer, const oidc::Json& claims, const std::string& signed_text);

}  // namespace ym::login
