// SHA-256, for request hashes and cursors.
#pragma once

#include <string>
#include <string_view>

namespace ym::api {

// Lower-case hex, 64 characters.
std::string sha256_hex(std::string_view text);

}  // namespace ym::api
