// Resolves host names. Private to net.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

#include "net/wait_limit.h"

namespace ym::net {

struct Endpoint {
  sockaddr_storage address{};
  socklen_t length = 0;
};

// Addresses in the order in which to try them; at least one.
Io<std::vector<Endpoint>> look_up(const std::string& host, std::uint16_t port, const WaitLimit& wait_limit);

}  // namespace ym::net
