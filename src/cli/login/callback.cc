#include "cli/login/callback.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>

namespace ym::cli {
namespace {

constexpr std::string_view kPath = "GET /callback?";
constexpr int kLookMs = 100, kTimeoutMs = 2'000;
constexpr std::size_t kMostOfHead = 16'384;

bool is_readable(int socket, int wait_ms) {
  pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
  return ::poll(&wanted, 1, wait_ms) > 0;
}

// The first line of the request. A browser opens connections that it does not use.
std::string read_line(int socket) {
  std::string text;
  std::array<char, 4096> piece{};
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kTimeoutMs);
  while (text.find('\n') == std::string::npos && text.size() < kMostOfHead && std::chrono::steady_clock::now() < end) {
    if (!is_readable(socket, kLookMs)) continue;
    const auto count = ::recv(socket, piece.data(), piece.size(), 0);
    if (count <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

void answer(int socket, int status, std::string_view text) {
  const auto reply = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\r\n{}",
      status == 200 ? "200 OK" : "404 Not Found", text.size(), text);
  (void)::send(socket, reply.data(), reply.size(), MSG_NOSIGNAL);
}

// Of a value that this server made: letters, digits, "-", "_" and escapes of nothing else.
std::string parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return std::string(pair.substr(name.size() + 1));
  }
  return {};
}

std::optional<Callback::Query> read_query(std::string_view line) {
  if (!line.starts_with(kPath)) return std::nullopt;
  line.remove_prefix(kPath.size());
  const auto query = line.substr(0, line.find(' '));
  Callback::Query read{
      .code = parameter(query, "code"), .state = parameter(query, "state"), .error = parameter(query, "error")};
  return read.state.empty() ? std::nullopt : std::optional(std::move(read));
}

}  // namespace

Result<Callback> Callback::listen() {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!socket || ::bind(socket.get(), generic, size) != 0 || ::listen(socket.get(), SOMAXCONN) != 0 ||
      ::getsockname(socket.get(), generic, &size) != 0)
    return fail(ErrorCode::io, fmt::format("cannot listen on 127.0.0.1: {}", std::strerror(errno)));
  return Callback(std::move(socket), ntohs(address.sin_port));
}

std::string Callback::url() const { return fmt::format("http://127.0.0.1:{}/callback", port_); }

Result<Callback::Query> Callback::wait(const std::function<bool()>& keep_going) {
  while (keep_going()) {
    if (!is_readable(socket_.get(), kLookMs)) continue;
    const Fd browser(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!browser) continue;
    const auto query = read_query(read_line(browser.get()));
    answer(browser.get(), query ? 200 : 404,
           !query                 ? "There is nothing here.\n"
           : query->error.empty() ? "You can close this page and go back to the terminal.\n"
                                  : "The login was not allowed. You can close this page.\n");
    if (query) return *query;
  }
  return fail(ErrorCode::unavailable, "interrupted; you are not logged in");
}

}  // namespace ym::cli
