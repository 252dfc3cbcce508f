// Whether an address can be reached only from this machine.
#pragma once

#include <string_view>

namespace ym {

inline bool is_loopback(std::string_view address) {
  return address == "localhost" || address == "::1" ||
         (address.starts_with("127.") && address.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace ym
