#include "api/testing/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>

#include "api/http/text.h"

namespace ym::testing {
namespace {

constexpr int kDeadlineSeconds = 20;

HttpReply parse_head(std::string_view head) {
  HttpReply reply;
  std::string_view line = api::take_until(head, '\n');
  if (line.size() > 12) reply.status = std::atoi(std::string(line.substr(9, 3)).c_str());
  while (!head.empty()) {
    line = api::take_until(head, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string name(api::take_until(line, ':'));
    for (char& c : name) c = api::lower(c);
    if (!name.empty()) reply.headers[name] = api::trim(line);
  }
  return reply;
}

}  // namespace

RawClient::RawClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval deadline{kDeadlineSeconds, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &deadline, sizeof deadline);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
}

RawClient::~RawClient() { close(); }

void RawClient::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool RawClient::fill() {
  std::string part(65536, '\0');
  const auto n = ::recv(fd_, part.data(), part.size(), 0);
  if (n <= 0) return false;
  buffer_.append(part, 0, static_cast<std::size_t>(n));
  return true;
}

bool RawClient::fill_to(std::size_t bytes) {
  while (buffer_.size() < bytes) {
    if (!fill()) return false;
  }
  return true;
}

std::optional<std::string> RawClient::read_until(std::string_view marker) {
  for (;;) {
    const auto found = buffer_.find(marker);
    if (found != std::string::npos) {
      std::string text = buffer_.substr(0, found + marker.size());
      buffer_.erase(0, text.size());
      return text;
    }
    if (!fill()) return std::nullopt;
  }
}

std::optional<HttpReply> RawClient::read_head() {
  const auto head = read_until("\r\n\r\n");
  if (!head) return std::nullopt;
  return parse_head(*head);
}

std::optional<std::string> RawClient::read_chunks() {
  std::string body;
  for (;;) {
    const auto line = read_until("\r\n");
    if (!line) return std::nullopt;
    const std::size_t size = std::strtoul(line->c_str(), nullptr, 16);
    if (!fill_to(size + 2)) return std::nullopt;
    body.append(buffer_, 0, size);
    buffer_.erase(0, size + 2);
    if (size == 0) return body;
  }
}

std::optional<HttpReply> RawClient::read_reply(bool head_request) {
  auto reply = read_head();
  if (!reply || head_request || reply->status == 204 || reply->status == 304) return reply;
  if (reply->headers["transfer-encoding"] == "chunked") {
    auto body = read_chunks();
    if (!body) return std::nullopt;
    reply->body = std::move(*body);
    return reply;
  }
  if (!reply->headers.contains("content-length")) {
    while (fill()) {
    }
    reply->body = std::exchange(buffer_, {});
    return reply;
  }
  const std::size_t length = std::strtoul(reply->headers["content-length"].c_str(), nullptr, 10);
  if (!fill_to(length)) return std::nullopt;
  reply->body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return reply;
}

bool RawClient::read_end() {
  buffer_.clear();
  std::string part(4096, '\0');
  for (;;) {
    const auto n = ::recv(fd_, part.data(), part.size(), 0);
    if (n == 0) return true;
    // A reset ends the connection, too. A timeout does not.
    if (n < 0) return errno == ECONNRESET;
  }
}

std::string to_bytes(const HttpCall& call) {
  std::string bytes = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", call.method, call.target);
  if (!call.token.empty()) bytes += fmt::format("Authorization: Bearer {}\r\n", call.token);
  for (const auto& [name, value] : call.headers) bytes += fmt::format("{}: {}\r\n", name, value);
  if (!call.body.empty()) bytes += fmt::format("Content-Length: {}\r\n", call.body.size());
  return bytes + "\r\n" + call.body;
}

HttpReply fetch(std::uint16_t port, const HttpCall& call) {
  RawClient client(port);
  client.send(to_bytes(call));
  return client.read_reply(call.method == "HEAD").value_or(HttpReply{});
}

}  // namespace ym::testing
