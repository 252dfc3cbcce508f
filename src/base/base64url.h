// Base64 in the alphabet of URLs, without padding (RFC 4648, section 5): as JSON Web Tokens have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ym {

std::string to_base64url(std::string_view bytes);
// Nothing: it is no such text, or not in the one form that to_base64url writes.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace ym
