// Addresses of servers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym::net {

struct Address {
  enum class Kind { tcp, tls, unix_socket };
  Kind kind = Kind::tcp;
  std::string host;  // without brackets; for a unix socket: its path
  std::uint16_t port = 0;
  bool operator==(const Address&) const = default;

  // The value of the Host field: with brackets, without the scheme's default port.
  std::string authority() const;
};

// "http://HOST[:PORT]", "https://HOST[:PORT]", with or without a slash at the end, or "unix:/PATH".
// Errors: `invalid`.
Result<Address> parse_url(std::string_view url);

}  // namespace ym::net
