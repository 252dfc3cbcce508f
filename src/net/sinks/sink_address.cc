#include "net/sinks/sink_address.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/loopback.h"

namespace ym::net {
namespace {

std::unexpected<Error> bad_sink(std::string_view text, std::string_view what) {
  return fail(ErrorCode::invalid, fmt::format("'{}' {}", text, what));
}

// HOST:PORT, which is read as that of a URL with the same transport.
Result<SinkAddress> parse_syslog(std::string_view text, std::string_view authority, std::string_view scheme) {
  const auto colon = authority.rfind(':');
  const bool has_port = colon != authority.npos && authority.find(']', colon) == authority.npos;
  auto server = parse_url(fmt::format("{}{}", scheme, authority));
  if (!has_port || !server || authority.ends_with('/'))
    return bad_sink(text, "is not the address of a syslog server; write syslog+tls://HOST:PORT or syslog://HOST:PORT");
  return SinkAddress{.kind = SinkAddress::Kind::syslog, .text = std::string(text), .server = std::move(*server)};
}

Result<SinkAddress> parse_http(std::string_view text, std::string_view after_scheme) {
  const auto path = after_scheme.find_first_of("/?");
  const auto base = text.substr(0, text.size() - after_scheme.size() + std::min(path, after_scheme.size()));
  const auto rest = text.substr(base.size());
  const bool sendable = std::ranges::all_of(rest, [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
  const auto server = parse_url(base);
  if (!server || !sendable)
    return bad_sink(text.substr(0, text.find('?')), "is not a URL; write https://HOST:PORT/PATH, percent-encoded");
  if (server->kind == Address::Kind::tcp && !is_loopback(server->host))
    return bad_sink(base, "would be sent in clear: plain http is for 127.0.0.1 only; write https");
  return SinkAddress{.kind = SinkAddress::Kind::http,
                     .text = std::string(text),
                     .base = std::string(base),
                     .target = fmt::format("{}{}", rest.starts_with('/') ? "" : "/", rest)};
}

}  // namespace

Result<SinkAddress> parse_sink(std::string_view text) {
  const auto end = text.find("://");
  if (text.empty() || text.find('\0') != text.npos) return bad_sink("", "is neither a file nor an address");
  if (end == text.npos) return SinkAddress{.text = std::string(text)};
  const auto scheme = text.substr(0, end);
  const auto rest = text.substr(end + 3);
  if (rest.substr(0, rest.find_first_of("/?")).contains('@'))
    return fail(
        ErrorCode::invalid,
        fmt::format("a {} address has no user and no password: write a token into a file, and name the file", scheme));
  if (scheme == "syslog") return parse_syslog(text, rest, "http://");
  if (scheme == "syslog+tls") return parse_syslog(text, rest, "https://");
  if (scheme == "http" || scheme == "https") return parse_http(text, rest);
  return bad_sink(scheme,
                  "is no scheme of a place for records; write syslog+tls, syslog, https, or the path of a file");
}

}  // namespace ym::net
