// JSON Web Tokens (RFC 7519) with a signature (RFC 7515), in the compact form.
//
// What a token says counts only after its signature and its claims were checked: see Issuer (issuer.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "oidc/json.h"
#include "oidc/json_web_key.h"

namespace ym::oidc {

struct JsonWebToken {
  static constexpr std::size_t kMostBytes = std::size_t{16} << 10;

  Algorithm algorithm = Algorithm::rs256;
  std::string key_id;       // empty: it names none
  std::string type;         // "at+jwt"; empty: it says none
  Json claims;              // an object
  std::string signed_text;  // what the signature is of
  std::string signature;
};

// Only reads. Where to find keys (`jku`, `jwk`, `x5u`) is not the token's to say and ignored. Errors:
// `unauthenticated`: it is too long, is no signed token, is signed with an algorithm that is not allowed, has two
// members of a name, or makes demands (`crit`) that this server does not know. No message has a part of the token.
Result<JsonWebToken> read_web_token(std::string_view text);

// What claims must be.
struct ExpectedClaims {
  std::string issuer{}, audience{};
  std::optional<std::string> nonce{};  // nothing: it has no meaning here
  bool is_id_token = false;            // then `azp` must be the audience, if there is one
  Instant now;
};
// How much the clocks of two machines may differ.
inline constexpr Duration kClockSkew = seconds(60);

// Errors: `unauthenticated`: the claim that is wrong; of times, by how much.
Result<void> check_claims(const Json& claims, const ExpectedClaims& expected);

}  // namespace ym::oidc
