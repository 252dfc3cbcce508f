#include "executor/remote/testing/free_ports.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <random>
#include <stdexcept>
#include <vector>

namespace ym::testing {
namespace {

// Ports below the kernel's range for outgoing connections. Tests in Python use the same lock files
// (tests/e2e/ports.py).
constexpr int kFirst = 20'000, kBlocks = 750, kBlock = 16, kMostTries = 500;
constexpr const char* kFolder = "/tmp/ym-ports";

bool is_free(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool free = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return free;
}

// Whether no other process has the block. If its file cannot be opened, only the ports are checked.
bool take(int block, std::vector<int>& locks) {
  const int file = ::open(fmt::format("{}/{}", kFolder, block).c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return true;
  locks.push_back(file);
  return ::flock(file, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

int free_ports(int count) {
  static std::mutex mutex;
  static std::vector<int> held;
  const std::lock_guard lock(mutex);
  ::mkdir(kFolder, 0777);
  std::random_device waiting;
  const int blocks = (count + kBlock - 1) / kBlock;
  for (int tries = 0; tries < kMostTries && blocks <= kBlocks; ++tries) {
    const int block = static_cast<int>(waiting() % static_cast<unsigned>(kBlocks - blocks + 1));
    const int first = kFirst + block * kBlock;
    std::vector<int> locks;
    bool ours = true;
    for (int i = 0; i < blocks && ours; ++i) ours = take(block + i, locks);
    for (int i = 0; i < count && ours; ++i) ours = is_free(first + i);
    if (ours) return held.insert(held.end(), locks.begin(), locks.end()), first;
    for (const int file : locks) ::close(file);
  }
  throw std::runtime_error(fmt::format("there are no {} free ports", count));
}

}  // namespace ym::testing
