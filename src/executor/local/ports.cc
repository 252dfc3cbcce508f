#include "executor/local/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "executor/local/attempt/fd.h"

namespace ym::local {
namespace {

bool is_free(std::uint16_t port) {
  const Fd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = INADDR_ANY}};
  return fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

std::optional<std::uint16_t> PortPool::take() {
  for (int tries = kLast - kFirst + 1; tries > 0; --tries) {
    const auto port = next_;
    next_ = port == kLast ? kFirst : static_cast<std::uint16_t>(port + 1);
    if (taken_.contains(port) || !is_free(port)) continue;
    taken_.insert(port);
    return port;
  }
  return std::nullopt;
}

void PortPool::keep(std::int64_t port) {
  if (port != 0) taken_.insert(port);
}

void PortPool::give_back(std::int64_t port) { taken_.erase(port); }

}  // namespace ym::local
