// problem+json: every refusal has this one shape (RFC 9457) and a stable `code`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.h"
#include "base/result.h"

namespace ym::api {

// What HTTP itself can find wrong, beside the failures that ym::Error knows.
enum class HttpFault : std::uint8_t {
  malformed,               // 400
  invalid_cursor,          // 400
  expired_cursor,          // 410
  method_not_allowed,      // 405
  not_acceptable,          // 406
  too_slow,                // 408
  body_too_large,          // 413
  target_too_long,         // 414
  unsupported_media_type,  // 415
  headers_too_large,       // 431
  unknown_encoding,        // 501
  unknown_version,         // 505
};

// The one mapping from failures to statuses. `invalid` is 422 where it names fields
// of the body (well-formed, but not what is meant), else 400.
Response to_response(const Error& error);
Response to_response(HttpFault fault, std::string detail);
Response busy(std::string detail);  // 503: nothing was changed, try again

// 400, for a query parameter or header field: the pointer is "/query/NAME" or
// "/header/NAME", because it points outside of the body.
Response bad_parameter(std::string_view name, std::string message);
Response bad_header(std::string_view name, std::string message);

// Every `code` that there is, each once.
std::vector<std::string_view> problem_codes();

}  // namespace ym::api
