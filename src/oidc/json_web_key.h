// JSON Web Keys (RFC 7517): the public keys by which an issuer signs its tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "oidc/json.h"

struct evp_pkey_st;

namespace ym::oidc {

// The algorithms that tokens may be signed with. Any other is refused: `none`, and those with a shared secret.
enum class Algorithm : std::uint8_t { rs256, ps256, es256, eddsa };
constexpr std::string_view to_string(Algorithm value) {
  switch (value) {
    case Algorithm::rs256: return "RS256";
    case Algorithm::ps256: return "PS256";
    case Algorithm::es256: return "ES256";
    case Algorithm::eddsa: return "EdDSA";
  }
  return {};
}
std::optional<Algorithm> algorithm_of(std::string_view name);

// A value; copies share the key.
struct JsonWebKey {
  std::string id;                      // empty: it has none
  std::vector<Algorithm> algorithms;   // that it fits; never empty
  std::shared_ptr<evp_pkey_st> key{};  // never null
};

// Whether the key signed the text. False also for a key of another kind than the algorithm's.
bool is_signed(const JsonWebKey& key, Algorithm algorithm, std::string_view text, std::string_view signature);

// The keys of a set that can check signatures. Others are left out: of unknown kinds, for encryption, and RSA below
// 2,048 bits. Errors: `invalid`: it is no set of keys, or none of them is of use.
Result<std::vector<JsonWebKey>> read_keys(const Json& json);

}  // namespace ym::oidc
