#include "executor/remote/agent/node_facts.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/whole_number.h"
#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/files.h"

namespace ym::remote {
namespace {

constexpr const char* kUnknown = "127.0.0.1";
constexpr std::int32_t kFirstPort = 20'000, kPorts = 12'000;

// Host and port of "scheme://host[:port]".
std::pair<std::string, std::string> host_and_port(std::string_view origin) {
  const auto scheme = origin.find("://");
  std::string port = origin.starts_with("https") ? "443" : "80";
  std::string_view rest = scheme == std::string_view::npos ? origin : origin.substr(scheme + 3);
  if (rest.starts_with('[')) {
    const auto end = std::min(rest.find(']'), rest.size() - 1);
    if (rest.substr(end).starts_with("]:")) port = rest.substr(end + 2);
    return {std::string(rest.substr(1, end - 1)), port};
  }
  const auto colon = rest.rfind(':');
  if (colon != std::string_view::npos) port = rest.substr(colon + 1);
  return {std::string(rest.substr(0, colon)), port};
}

// connect() of a datagram socket sends nothing, but selects the route.
std::optional<std::string> source_towards(const addrinfo& there) {
  const Fd fd{::socket(there.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  sockaddr_storage ours{};
  socklen_t size = sizeof ours;
  auto* const generic = reinterpret_cast<sockaddr*>(&ours);
  if (!fd || ::connect(fd.get(), there.ai_addr, there.ai_addrlen) != 0) return std::nullopt;
  if (::getsockname(fd.get(), generic, &size) != 0) return std::nullopt;
  std::array<char, NI_MAXHOST> text{};
  const int error = ::getnameinfo(generic, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return error == 0 ? std::optional<std::string>(text.data()) : std::nullopt;
}

bool is_free(std::int32_t port) {
  const Fd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_in address{
      .sin_family = AF_INET, .sin_port = htons(static_cast<std::uint16_t>(port)), .sin_addr = {.s_addr = INADDR_ANY}};
  return fd && ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::optional<std::int64_t> limit_in(const std::string& file) {
  const auto text = local::read_file(AT_FDCWD, file.c_str(), 64);
  if (!text) return std::nullopt;
  return whole_number<std::int64_t>(std::string_view(*text).substr(0, text->find('\n')));
}

std::string content_of(const char* file) {
  return local::read_file(AT_FDCWD, file, std::size_t{1} << 20).value_or(std::string());
}

// Up to the root of the mounted hierarchy: a limit further up counts too.
bool limited_below(std::string folder, const char* file) {
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;  // the value of version 1 for no limit
  for (; folder.size() > 1 && folder.contains('/'); folder.erase(folder.rfind('/')))
    if (const auto limit = limit_in(folder + "/" + file); limit && *limit > 0 && *limit < kNoLimit) return true;
  return false;
}

}  // namespace

std::string address_towards(const std::string& origin) {
  const auto [host, port] = host_and_port(origin);
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return kUnknown;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all{found, ::freeaddrinfo};
  for (const auto* there = all.get(); there; there = there->ai_next)
    if (auto source = source_towards(*there)) return *source;
  return kUnknown;
}

// Not std::random_device: on a virtual machine, its check for a hardware generator costs more than a random number.
std::uint32_t random_seed() {
  std::uint32_t waiting = 0;
  return ::getentropy(&waiting, sizeof waiting) == 0 ? waiting : static_cast<std::uint32_t>(::getpid());
}

std::int32_t free_port() {
  const auto start = static_cast<std::int32_t>(random_seed() % static_cast<unsigned>(kPorts));
  for (std::int32_t i = 0; i < kPorts; ++i)
    if (const auto port = kFirstPort + (start + i) % kPorts; is_free(port)) return port;
  return 0;
}

bool memory_is_limited() {
  const auto mounts = content_of("/proc/self/mountinfo"), own = content_of("/proc/self/cgroup");
  return limited_below(local::own_cgroup(mounts, own, ""), "memory.max") ||
         limited_below(local::own_cgroup(mounts, own, "memory"), "memory.limit_in_bytes");
}

}  // namespace ym::remote
