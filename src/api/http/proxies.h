// TrustedProxies: the proxies that may speak for clients.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.h"
#include "base/result.h"

namespace ym::api {

class TrustedProxies {
 public:
  // Texts like "10.1.2.3", "10.0.0.0/8", "fd00::/8". Errors: `invalid`.
  static Result<TrustedProxies> make(std::span<const std::string> texts);

  bool empty() const { return networks_.empty(); }
  // False also for what is not an address.
  bool contains(std::string_view address) const;

  // The address of the client: `peer`, unless that is a trusted proxy. Then it is the last one in X-Forwarded-For that
  // is not a trusted proxy: a client may have written all before it. A text that is not an address ends the search.
  std::string client_of(const std::string& peer, const Request& head) const;

 private:
  // Addresses of IPv4 as IPv6 writes them (::ffff:10.0.0.0).
  struct Network {
    std::array<unsigned char, 16> address{};
    unsigned bits = 0;
  };
  std::vector<Network> networks_;
};

}  // namespace ym::api
