// Where a server is. Private to net, percent_encoded (http_client.h) aside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym::net {

struct Address {
  enum class Kind { tcp, tls, unix_socket };
  Kind kind = Kind::tcp;
  std::string host;  // without brackets; of a unix socket: its path
  std::uint16_t port = 0;
  bool operator==(const Address&) const = default;

  // What the Host field says: with brackets, without the scheme's own port.
  std::string authority() const;
};

// "http://HOST[:PORT]", "https://HOST[:PORT]", with or without a slash at the end, or "unix:/PATH".
// Errors: `invalid`.
Result<Address> parse_url(std::string_view url);

}  // namespace ym::net
