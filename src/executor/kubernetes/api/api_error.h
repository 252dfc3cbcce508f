// What an API server answers when it does not do what it was asked for.
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
    unreachable,  // no reply, or none that is whole: it may have acted
    timeout,      // it says itself that it may have acted (504)
    throttled,    // 429
    trouble,      // 500, 502, 503
    unauthenticated,
    forbidden,
    over_quota,  // 403 of a ResourceQuota
    not_found,
    already_exists,
    conflict,
    gone,     // 410: the version is too old to go on from
    refused,  // 400, 413, 422: it will never take this
    nonsense  // a reply that is none of an API server's
  };
  Kind kind = Kind::nonsense;
  int status = 0;
  std::string message;
  std::optional<Duration> retry_after;
};

template <class T>
using Api = std::expected<T, ApiError>;

// Precondition: not a status of success.
ApiError read_error(const net::Reply& reply);
ApiError unreachable(const Error& error);
// Of a Status object, as the body of a reply or the object of an ERROR event.
ApiError read_status(int status, std::string_view body);

Error as_error(const ApiError& error);

// How long to wait before the request is repeated, the `tries`-th time, if so much time was spent on it; nothing: what
// it says is final. Every request of ours may be repeated: what is created has a name.
// A server that has just come up refuses for a moment whom it will admit (403).
std::optional<Duration> pause_before_retry(const ApiError& error, int tries, Duration spent);

}  // namespace ym::kubernetes
