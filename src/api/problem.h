// problem+json: every refusal has this format (RFC 9457) and a stable `code`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.h"
#include "base/result.h"

namespace ym::api {

// Faults at the level of HTTP, beside the errors of ym::Error.
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

// The only mapping from errors to statuses. `invalid` is 422 if it names fields of the body (it is well-formed, but its
// content is wrong), else 400.
Response to_response(const Error& error);
Response to_response(HttpFault fault, std::string detail);
Response busy(std::string detail);  // 503: nothing was changed, try again

// 400, for a query parameter or header field. The pointer is "/query/NAME" or "/header/NAME", outside the body.
Response bad_parameter(std::string_view name, std::string message);
Response bad_header(std::string_view name, std::string message);

// Every existing `code`, once.
std::vector<std::string_view> problem_codes();

}  // namespace ym::api
