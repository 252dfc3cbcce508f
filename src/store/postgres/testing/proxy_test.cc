#include "store/postgres/testing/proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace ym::postgres {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSocket = ".s.PGSQL.5432";  // libpq's name for it

sockaddr_un address_in(const fs::path& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto path = (folder / kSocket).string();
  if (path.size() >= sizeof(address.sun_path)) throw std::runtime_error("the path of a socket is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* as_sockaddr(const sockaddr_un& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

// Whether all of it was sent.
bool send_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const auto sent = ::send(socket, data, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

Proxy::Proxy(fs::path server) : server_(std::move(server)) {
  std::string name = (fs::temp_directory_path() / "ym-proxy-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  folder_ = name;
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = address_in(folder_);
  if (::bind(listener_, as_sockaddr(address), sizeof(address)) != 0 || ::listen(listener_, 64) != 0)
    throw std::runtime_error("no socket for the proxy");
  thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

Proxy::~Proxy() {
  thread_.request_stop();
  thread_.join();
  for (auto& link : links_) close(link);
  ::close(listener_);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Proxy::arm(Fault fault) {
  const std::lock_guard lock(mutex_);
  armed_ = fault;
}

bool Proxy::is_armed() const {
  const std::lock_guard lock(mutex_);
  return armed_.has_value();
}

std::optional<Proxy::Fault> Proxy::take_fault() {
  const std::lock_guard lock(mutex_);
  return std::exchange(armed_, std::nullopt);
}

void Proxy::close(Link& link) {
  if (!link.open) return;
  ::close(link.client);
  ::close(link.server);
  link.open = false;
}

void Proxy::accept() {
  Link link{.client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC),
            .server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const auto address = address_in(server_);
  if (refused_ || ::connect(link.server, as_sockaddr(address), sizeof(address)) != 0) close(link);
  else links_.push_back(link);
}

void Proxy::pass_request(Link& link) {
  std::array<char, 65536> data;
  const auto got = ::recv(link.client, data.data(), data.size(), 0);
  if (got <= 0) return close(link);
  const bool held = link.fault == Fault::Kind::hold_request;
  if (held) return;
  auto size = static_cast<std::size_t>(got);
  if (const auto fault = take_fault()) {
    link.fault = fault->kind;
    const bool partly = fault->kind == Fault::Kind::cut_request || fault->kind == Fault::Kind::hold_request;
    if (partly) size = std::min(size, fault->bytes);
  }
  if (!send_all(link.server, data.data(), size) || link.fault == Fault::Kind::cut_request) close(link);
}

void Proxy::pass_answer(Link& link) {
  std::array<char, 65536> data;
  const auto got = ::recv(link.server, data.data(), data.size(), 0);
  if (got <= 0 || link.fault == Fault::Kind::cut_answer) return close(link);
  if (link.fault) return;  // held
  if (!send_all(link.client, data.data(), static_cast<std::size_t>(got))) close(link);
}

void Proxy::serve(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::erase_if(links_, [](const Link& link) { return !link.open; });
    std::vector<pollfd> polled{{.fd = listener_, .events = POLLIN, .revents = 0}};
    for (const auto& link : links_) {
      polled.push_back({.fd = link.client, .events = POLLIN, .revents = 0});
      polled.push_back({.fd = link.server, .events = POLLIN, .revents = 0});
    }
    if (::poll(polled.data(), polled.size(), 5) <= 0) continue;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (polled[1 + 2 * i].revents != 0) pass_request(links_[i]);
      if (links_[i].open && polled[2 + 2 * i].revents != 0) pass_answer(links_[i]);
    }
    if (polled[0].revents != 0) accept();
  }
}

}  // namespace ym::postgres
