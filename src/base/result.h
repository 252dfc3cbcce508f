// Result<T>: an expected failure as a value.
//
// This project has three kinds of trouble: programmer errors (YM_ASSERT), expected failures (Result), and "cannot run
// now" (an engine Deferral, which is not an error).
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ym {

// The kind of a failure. The names are stable: they are the `code` of problem+json answers (see to_string), and decide
// the exit code of `ym`.
enum class ErrorCode {
  invalid,          // the request is malformed; `fields` names the places
  unauthenticated,  // no or bad credentials
  forbidden,        // known principal, not allowed
  not_found,
  conflict,   // the present state does not allow it
  ambiguous,  // a name that matches several objects
  too_large,  // over a documented limit
  rate_limited,
  unavailable,  // cannot be served now; nothing was changed; try again
  corrupt,      // stored state is not what was written
  io,           // the operating system refused
  internal,
};

constexpr std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::unauthenticated: return "unauthenticated";
    case ErrorCode::forbidden: return "forbidden";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::conflict: return "conflict";
    case ErrorCode::ambiguous: return "ambiguous";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::rate_limited: return "rate_limited";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::corrupt: return "corrupt";
    case ErrorCode::io: return "io";
    case ErrorCode::internal: return "internal";
  }
  return {};
}

// A wrong field: its place (a JSON pointer such as "/resources/gpus"), and what to do about it.
struct FieldError {
  std::string pointer;
  std::string message;
  bool operator==(const FieldError&) const = default;
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // one sentence for a user, with the remedy if there is one
  std::vector<FieldError> fields{};
  bool retryable = false;
  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

// Shorthand: `return fail(ErrorCode::not_found, "no job ...");`
[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{.code = code, .message = std::move(message)});
}

// Shorthand for one wrong field.
[[nodiscard]] inline std::unexpected<Error> fail_field(std::string pointer, std::string message) {
  std::string text = pointer + ": " + message;
  return std::unexpected(Error{
      .code = ErrorCode::invalid, .message = std::move(text), .fields = {{std::move(pointer), std::move(message)}}});
}

}  // namespace ym
