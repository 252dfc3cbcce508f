// The text of bearer tokens: random, stored only as hashes.
#pragma once

#include <string>
#include <string_view>

#include "base/secret.h"
#include "model/access/access_token.h"
#include "model/access/principal.h"

namespace ym {

// "ymp_" (of a person), "yms_" (of a service account) or "ymc_" (of a login), 32 random bytes in URL-safe base64, and
// four characters that check the others: so a scanner for secrets can tell it from other text.
Secret make_token(PrincipalKind principal, TokenKind kind);
// Whether the text begins as a token of make_token; and whether it is a whole one, by its check.
bool is_like_token(std::string_view text);
bool is_token_text(std::string_view text);
// Tokens carry 256 bits of entropy, so a plain hash is enough.
std::string hash_token(const Secret& token);
// The id of a token with this hash: its first digits.
std::string token_id(std::string_view hash);
// BLAKE2b-256 in hex.
std::string hash_text(std::string_view text);

}  // namespace ym
