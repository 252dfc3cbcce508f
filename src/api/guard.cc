#include "api/guard.h"

#include "api/http/text.h"

namespace ym::api {
namespace {

constexpr std::size_t kMaxToken = 4096;

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

// "localhost:8470" -> "localhost", "[::1]:8470" -> "[::1]".
std::string_view without_port(std::string_view host) {
  const auto colon = host.rfind(':');
  if (colon == std::string_view::npos || host.ends_with(']')) return host;
  return host.substr(0, colon);
}

bool is_token_character(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
         std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

}  // namespace

Guard::Guard(const HttpOptions& options) {
  for (const auto& host : options.allowed_hosts) hosts_.insert(lower_case(without_port(host)));
  any_host_ = !is_loopback(options.address) && hosts_.empty();
  const bool is_v6 = options.address.find(':') != std::string::npos;
  hosts_.insert(is_v6 ? fmt::format("[{}]", options.address) : options.address);
  if (is_loopback(options.address)) hosts_.insert({"localhost", "127.0.0.1", "[::1]"});
}

bool Guard::knows_host(std::string_view host) const {
  return any_host_ || hosts_.contains(lower_case(without_port(host)));
}

bool Guard::is_cross_origin(const Request& request) {
  if (request.count("Origin") == 0) return false;
  std::string_view origin = request.header("Origin");
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return !equal_ignoring_case(origin.substr(scheme.size()), request.header("Host"));
  }
  return true;
}

Result<Secret> bearer_token(const Request& request) {
  std::string_view value = trim(request.header("Authorization"));
  const auto scheme = take_until(value, ' ');
  value = trim(value);
  if (!equal_ignoring_case(scheme, "Bearer") || value.empty()) {
    return fail(ErrorCode::unauthenticated, "send the token in the header field 'Authorization: Bearer TOKEN'");
  }
  if (value.size() > kMaxToken || !std::ranges::all_of(value, is_token_character)) {
    return fail(ErrorCode::unauthenticated, "the token is not well-formed");
  }
  return Secret(std::string(value));
}

}  // namespace ym::api
