#include "cli/http/url.h"

#include <fmt/format.h>

namespace ym::cli {
namespace {

std::unexpected<Error> bad_url(std::string_view url) {
  if (url.starts_with("https://"))
    return fail(ErrorCode::invalid, "https is not offered yet; use http://HOST:PORT, or a TLS proxy on this machine");
  return fail(ErrorCode::invalid, fmt::format("'{}' is not the address of a server; write http://HOST:PORT", url));
}

}  // namespace

Result<ServerAddress> parse_url(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  std::string_view rest = url;
  if (!rest.starts_with(kScheme)) return bad_url(url);
  rest.remove_prefix(kScheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  std::string_view port = "80";
  const auto bracket = rest.find(']');
  const auto colon = rest.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    port = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
  }
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  const bool good_port = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
  if (rest.empty() || rest.find_first_of("/?#@[] \t\r\n") != rest.npos || !good_port) return bad_url(url);
  return ServerAddress{.host = std::string(rest), .port = std::string(port)};
}

std::string target(std::string_view path, const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::string out(path);
  char separator = '?';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    out += separator + name + "=" + percent_encoded(value);
    separator = '&';
  }
  return out;
}

std::string job_target(std::string_view id, std::string_view below) {
  return fmt::format("/api/v1/jobs/{}{}{}", percent_encoded(id), below.empty() ? "" : "/", below);
}

}  // namespace ym::cli
