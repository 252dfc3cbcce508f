// Hashes and encodings that the protocols ask for.
#pragma once

#include <string>
#include <string_view>

namespace ym::oidc {

std::string sha256(std::string_view bytes);     // 32 bytes
std::string to_base64(std::string_view bytes);  // with padding
// 32 random bytes: no guess finds them. And the same in base64url: 43 characters.
std::string random_bytes();
std::string random_text();

}  // namespace ym::oidc
