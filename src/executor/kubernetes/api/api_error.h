// Errors of an API server.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "net/http_client.h"

namespace ym::kubernetes {

struct ApiError {
  enum class Kind : std::uint8_t {
    unreachable,   // no reply, or an incomplete one: the server may have acted
    timeout,       // 504: the server says that it may have acted
    throttled,     // 429
    server_error,  // 500, 502, 503
    unauthenticated,
    forbidden,
    over_quota,  // 403 of a ResourceQuota
    not_found,
    already_exists,
    conflict,
    gone,      // 410: the version is too old to resume from
    refused,   // 400, 413, 422: the server will never accept this
    malformed  // a reply that no API server sends
  };
  Kind kind = Kind::malformed;
  int status = 0;
  std::string message;
  std::optional<Duration> retry_after;
};

template <class T>
using Api = std::expected<T, ApiError>;

// Precondition: the status is not a success.
ApiError read_error(const net::Reply& reply);
ApiError unreachable(const Error& error);
// From a Status object: the body of a reply or the object of an ERROR event.
ApiError read_status(int status, std::string_view body);

Error as_error(const ApiError& error);

// How long to wait before the `tries`-th repetition, after `spent` on the request so far. Empty: the error is final.
// Every request may be repeated, because every created object has a name. After its start, a server may answer 403 for
// a moment.
std::optional<Duration> pause_before_retry(const ApiError& error, int tries, Duration spent);

}  // namespace ym::kubernetes
