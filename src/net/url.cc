#include "net/url.h"

#include <fmt/format.h>
#include <sys/un.h>

#include <charconv>
#include <optional>

#include "net/http_client.h"

namespace ym::net {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

std::unexpected<Error> bad_url(std::string_view url) {
  return fail(ErrorCode::invalid, fmt::format("'{}' is not the address of a server; write http://HOST:PORT, "
                                              "https://HOST:PORT or unix:/PATH",
                                              url));
}

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == '~';
}

bool is_host(std::string_view host, bool bracketed) {
  if (host.empty()) return false;
  for (const char c : host)
    if (!is_unreserved(c) && !(bracketed && c == ':')) return false;
  return true;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

Result<Address> parse_unix(std::string_view url, std::string_view path) {
  if (path.starts_with("//")) path.remove_prefix(2);
  if (!path.starts_with('/') || path.find('\0') != path.npos) return bad_url(url);
  if (path.size() >= sizeof(sockaddr_un::sun_path))
    return fail(ErrorCode::invalid, fmt::format("'{}': the path of a unix socket has at most {} bytes", url,
                                                sizeof(sockaddr_un::sun_path) - 1));
  return Address{.kind = Address::Kind::unix_socket, .host = std::string(path), .port = 0};
}

}  // namespace

std::string Address::authority() const {
  if (kind == Kind::unix_socket) return "localhost";
  std::string text = host.find(':') == host.npos ? host : "[" + host + "]";
  if (port != (kind == Kind::tls ? kHttpsPort : kHttpPort)) text += fmt::format(":{}", port);
  return text;
}

Result<Address> parse_url(std::string_view url) {
  std::string_view rest = url;
  const auto skip = [&rest](std::string_view scheme) {
    if (!rest.starts_with(scheme)) return false;
    rest.remove_prefix(scheme.size());
    return true;
  };
  if (skip("unix:")) return parse_unix(url, rest);
  const bool tls = skip("https://");
  if (!tls && !skip("http://")) return bad_url(url);
  if (rest.ends_with('/')) rest.remove_suffix(1);

  const bool bracketed = rest.starts_with('[');
  const auto end = bracketed ? rest.find(']') : rest.find(':');
  if (bracketed && end == rest.npos) return bad_url(url);
  const auto host = bracketed ? rest.substr(1, end - 1) : rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + (bracketed ? 1 : 0));
  auto port = std::optional(tls ? kHttpsPort : kHttpPort);
  if (!rest.empty()) port = rest.starts_with(':') ? parse_port(rest.substr(1)) : std::nullopt;
  if (!port || !is_host(host, bracketed)) return bad_url(url);
  return Address{.kind = tls ? Address::Kind::tls : Address::Kind::tcp, .host = std::string(host), .port = *port};
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c)) out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace ym::net
