#include "executor/local/machine/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace ym::local {
namespace {

bool is_free(std::uint16_t port) {
  const Fd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = INADDR_ANY}};
  return fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Empty: another server has it.
Fd reserve(std::int64_t port) {
  Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const auto name = "yardmaster-port-" + std::to_string(port);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) fd.reset();
  return fd;
}

}  // namespace

std::optional<std::uint16_t> PortPool::take() {
  for (int tries = kLast - kFirst + 1; tries > 0; --tries) {
    const auto port = next_;
    next_ = port == kLast ? kFirst : static_cast<std::uint16_t>(port + 1);
    if (taken_.contains(port)) continue;
    Fd reservation = reserve(port);
    if (!reservation || !is_free(port)) continue;
    taken_.emplace(port, std::move(reservation));
    return port;
  }
  return std::nullopt;
}

void PortPool::keep(std::int64_t port) {
  if (port != 0 && !taken_.contains(port)) taken_.emplace(port, reserve(port));
}

void PortPool::give_back(std::int64_t port) { taken_.erase(port); }

}  // namespace ym::local
