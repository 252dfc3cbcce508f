// Signals by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ym::local {

// "SIGTERM" or "TERM" -> 15.
std::optional<int> parse_signal(std::string_view name);
// 15 -> "SIGTERM".
std::string signal_name(int signal);

}  // namespace ym::local
