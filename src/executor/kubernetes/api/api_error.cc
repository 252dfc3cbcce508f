#include "executor/kubernetes/api/api_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_number.h"
#include "executor/kubernetes/api/json.h"

namespace ym::kubernetes {
namespace {

using Kind = ApiError::Kind;

constexpr std::size_t kMostWords = 512;

Kind kind_of(int status, const std::string& reason, const std::string& message) {
  switch (status) {
    case 401: return Kind::unauthenticated;
    case 403: return message.find("exceeded quota") == std::string::npos ? Kind::forbidden : Kind::over_quota;
    case 404: return Kind::not_found;
    case 409: return reason == "AlreadyExists" ? Kind::already_exists : Kind::conflict;
    case 410: return Kind::gone;
    case 429: return Kind::throttled;
    case 400:
    case 413:
    case 422: return Kind::refused;
    case 504: return Kind::timeout;
    default: return status >= 500 ? Kind::server_error : Kind::malformed;
  }
}

// How long requests are repeated for this kind of error.
Duration retry_timeout(Kind kind) {
  switch (kind) {
    case Kind::throttled: return seconds(60);
    case Kind::forbidden:
    case Kind::unauthenticated: return seconds(10);
    case Kind::unreachable:
    case Kind::timeout:
    case Kind::server_error: return seconds(5);
    default: return {};
  }
}

}  // namespace

ApiError read_status(int status, std::string_view body) {
  ApiError error{.kind = {}, .status = status, .message = {}, .retry_after = {}};
  std::string reason;
  if (const auto value = parse_json(body.substr(0, std::size_t{1} << 20)); value && value->is_object()) {
    error.message = text_at(*value, "/message");
    reason = text_at(*value, "/reason");
    if (const auto wait = number_at(*value, "/details/retryAfterSeconds"); wait && *wait > 0 && *wait <= 60)
      error.retry_after = seconds(*wait);
  } else {
    error.message = std::string(body.substr(0, kMostWords));
  }
  if (error.message.size() > kMostWords) error.message.resize(kMostWords);
  error.kind = kind_of(status, reason, error.message);
  if (reason == "Expired" || reason == "Gone") error.kind = Kind::gone;
  return error;
}

ApiError read_error(const net::Reply& reply) {
  auto error = read_status(reply.status, reply.body);
  const auto header = reply.headers.find("retry-after");
  if (header != reply.headers.end())
    if (const auto wait = whole_number<std::int64_t>(header->second); wait && *wait >= 0)
      error.retry_after = seconds(std::min<std::int64_t>(*wait, 60));
  return error;
}

ApiError unreachable(const Error& error) {
  const bool final = error.code == ErrorCode::too_large || error.code == ErrorCode::invalid;
  return {
      .kind = final ? Kind::malformed : Kind::unreachable, .status = 0, .message = error.message, .retry_after = {}};
}

Error as_error(const ApiError& error) {
  Error out{.code = ErrorCode::unavailable, .message = error.message};
  switch (error.kind) {
    case Kind::unauthenticated: out.code = ErrorCode::unauthenticated; break;
    case Kind::forbidden:
    case Kind::over_quota: out.code = ErrorCode::forbidden; break;
    case Kind::not_found: out.code = ErrorCode::not_found; break;
    case Kind::already_exists:
    case Kind::conflict: out.code = ErrorCode::conflict; break;
    case Kind::refused: out.code = ErrorCode::invalid; break;
    case Kind::throttled: out.code = ErrorCode::rate_limited; break;
    default: break;
  }
  if (out.message.empty()) out.message = fmt::format("the API server answers {}", error.status);
  return out;
}

std::optional<Duration> pause_before_retry(const ApiError& error, int tries, Duration spent) {
  constexpr std::int64_t kFirst = 100, kLongest = 5'000;
  const auto timeout = retry_timeout(error.kind);
  Duration pause{std::min(kFirst << std::clamp(tries - 1, 0, 10), kLongest)};
  if (error.retry_after) pause = std::max(pause, *error.retry_after);
  if (spent + pause > timeout) return std::nullopt;
  return pause;
}

}  // namespace ym::kubernetes
