// Bearer tokens: random, stored only as hashes.
#pragma once

#include <string>

#include "base/secret.h"

namespace ym {

// 32 random bytes, URL-safe.
Secret make_token();
// BLAKE2b-256 in hex. Tokens carry 256 bits of entropy, so a plain hash is enough.
std::string hash_token(const Secret& token);

}  // namespace ym
