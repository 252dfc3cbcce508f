#include "executor/local/supervisor/control_socket.h"

#include <sys/socket.h>

#include <algorithm>

namespace ym::local {
namespace {

constexpr std::size_t kMaxClients = 16;

}  // namespace

ControlSocket::ControlSocket(Fd parent_link) {
  if (parent_link) clients_.push_back({.fd = std::move(parent_link), .reader = {}});
}

Result<void> ControlSocket::listen(int task_folder) {
  auto listener = listen_on(task_folder);
  if (!listener) return std::unexpected(listener.error());
  listener_ = std::move(*listener);
  return {};
}

void ControlSocket::greet(std::string greeting) {
  greeting_ = std::move(greeting);
  for (const auto& client : clients_) send_line(client.fd.get(), greeting_);
}

void ControlSocket::set_state(std::string state) {
  state_ = std::move(state);
  for (const auto& client : clients_) send_line(client.fd.get(), state_);
}

bool ControlSocket::is_behind(std::int64_t newest) const {
  return std::ranges::any_of(clients_, [newest](const Client& client) { return client.heard < newest; });
}

std::int64_t ControlSocket::tell(const std::vector<RawReport>& reports) {
  std::int64_t most = 0;
  for (auto& client : clients_) {
    std::int64_t lines = 0;
    for (const auto& report : reports) {
      if (report.number <= client.heard) continue;
      if (!send_line(client.fd.get(), progress_line(report))) break;
      client.heard = report.number;
      ++lines;
    }
    most = std::max(most, lines);
  }
  return most;
}

void ControlSocket::tell_parent(std::string_view line) {
  if (!clients_.empty()) send_line(clients_.front().fd.get(), line);
}

void ControlSocket::add_to(std::vector<pollfd>& polled) const {
  if (listener_) polled.push_back({listener_.get(), POLLIN, 0});
  for (const auto& client : clients_) polled.push_back({client.fd.get(), POLLIN, 0});
}

std::vector<std::string> ControlSocket::receive() {
  accept_all();
  std::vector<std::string> all;
  std::erase_if(clients_, [&all](Client& client) {
    std::vector<std::string> lines;
    const bool open = client.reader.read(client.fd.get(), lines);
    if (std::erase(lines, kPing) > 0) send_line(client.fd.get(), kPong);
    all.insert(all.end(), lines.begin(), lines.end());
    return !open;
  });
  return all;
}

void ControlSocket::accept_all() {
  while (listener_) {
    Fd fd{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
    if (!fd) return;
    if (!same_user(fd.get()) || clients_.size() >= kMaxClients) continue;
    clients_.push_back({.fd = std::move(fd), .reader = {}});
    welcome(clients_.back());
  }
}

void ControlSocket::welcome(const Client& client) {
  send_line(client.fd.get(), greeting_);
  send_line(client.fd.get(), state_);
}

}  // namespace ym::local
