#include "executor/remote/testing/free_ports.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>

namespace ym::testing {
namespace {

bool is_free(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool free = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return free;
}

}  // namespace

int free_ports(int count) {
  std::random_device seed;
  while (true) {
    const int first = 20'000 + static_cast<int>(seed() % 10'000);
    int good = 0;
    while (good < count && is_free(first + good)) ++good;
    if (good == count) return first;
  }
}

}  // namespace ym::testing
