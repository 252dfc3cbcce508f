#include "api/http/head_check.h"

#include "api/http/text.h"
#include "api/problem.h"

namespace ym::api {
namespace {

std::optional<Response> check_framing(const Request& request, unsigned version) {
  const std::size_t encodings = request.count("Transfer-Encoding");
  if (encodings == 0) return std::nullopt;
  // Two statements of where the body ends: a proxy between client and server may use the other one (request smuggling).
  if (request.count("Content-Length") > 0) {
    return to_response(HttpFault::malformed, "both Content-Length and Transfer-Encoding");
  }
  if (version < 11 || !equal_ignoring_case(request.header("Transfer-Encoding"), "chunked")) {
    return to_response(HttpFault::unknown_encoding, "the only transfer encoding is chunked");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Response> check_head(const Request& request, unsigned version, const HttpLimits& limits) {
  if (request.headers.size() > limits.header_fields) {
    return to_response(HttpFault::headers_too_large, fmt::format("more than {} header fields", limits.header_fields));
  }
  if (request.target.size() > limits.target_bytes) {
    return to_response(HttpFault::target_too_long, fmt::format("the target is over {} bytes", limits.target_bytes));
  }
  const std::size_t hosts = request.count("Host");
  if (hosts > 1 || (hosts == 0 && version >= 11)) {
    return to_response(HttpFault::malformed, "exactly one Host header field is needed");
  }
  return check_framing(request, version);
}

}  // namespace ym::api
