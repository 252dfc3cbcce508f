#include "api/problem.h"

#include <algorithm>

#include "api/json/writer.h"
#include "base/enum_names.h"

namespace ym::api {
namespace {

struct Kind {
  int status;
  std::string_view code;
  std::string_view title;
};

Kind kind_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid:
      for (const auto& field : error.fields) {
        if (!field.pointer.empty()) return {422, "invalid", "The request's content is wrong"};
      }
      return {400, "invalid", "The request is malformed"};
    case ErrorCode::unauthenticated: return {401, "unauthenticated", "A valid token is needed"};
    case ErrorCode::forbidden: return {403, "forbidden", "Not allowed"};
    case ErrorCode::not_found: return {404, "not_found", "Not found"};
    case ErrorCode::conflict: return {409, "conflict", "The present state does not allow it"};
    case ErrorCode::ambiguous: return {409, "ambiguous", "The name means more than one job"};
    case ErrorCode::too_large: return {413, "too_large", "Over a limit"};
    case ErrorCode::rate_limited: return {429, "rate_limited", "Too many requests"};
    case ErrorCode::unavailable: return {503, "unavailable", "Cannot be served now"};
    case ErrorCode::corrupt: return {500, "corrupt", "Stored state is damaged"};
    case ErrorCode::io: return {500, "io", "The operating system refused"};
    case ErrorCode::internal: break;
  }
  return {500, "internal", "Internal error"};
}

Kind kind_of(HttpFault fault) {
  switch (fault) {
    case HttpFault::malformed: return {400, "invalid", "The request is malformed"};
    case HttpFault::invalid_cursor: return {400, "invalid_cursor", "The cursor is not one of ours"};
    case HttpFault::expired_cursor: return {410, "expired", "The cursor has expired"};
    case HttpFault::method_not_allowed: return {405, "method_not_allowed", "Method not allowed"};
    case HttpFault::not_acceptable: return {406, "not_acceptable", "Not available in an accepted type"};
    case HttpFault::too_slow: return {408, "too_slow", "The request came too slowly"};
    case HttpFault::body_too_large: return {413, "too_large", "Over a limit"};
    case HttpFault::target_too_long: return {414, "target_too_long", "The address is too long"};
    case HttpFault::unsupported_media_type: return {415, "unsupported_media_type", "Unsupported content type"};
    case HttpFault::headers_too_large: return {431, "headers_too_large", "The request's head is over a limit"};
    case HttpFault::unknown_encoding: return {501, "unknown_encoding", "Unsupported transfer encoding"};
    case HttpFault::unknown_version: return {505, "unknown_version", "Unsupported HTTP version"};
  }
  return {500, "internal", "Internal error"};
}

Response render(const Kind& kind, std::string_view detail, const std::vector<FieldError>& fields) {
  JsonWriter json;
  json.begin_object();
  json.field("type", fmt::format("urn:yardmaster:problem:{}", kind.code));
  json.field("title", kind.title);
  json.field("status", kind.status);
  json.field("code", kind.code);
  json.field("detail", detail);
  json.key("errors").begin_array();
  for (const auto& field : fields) {
    json.begin_object().field("pointer", field.pointer).field("message", field.message).end_object();
  }
  json.end_array().end_object();
  Response response{.status = kind.status, .content_type = "application/problem+json", .body = std::move(json).take()};
  response.problem = kind.code;
  if (kind.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer realm=\"yardmaster\""});
  if (kind.status == 429 || kind.status == 503) response.headers.push_back({"Retry-After", "1"});
  return response;
}

Response outside_body(std::string pointer, std::string message) {
  const std::string detail = fmt::format("{}: {}", pointer, message);
  return render(kind_of(HttpFault::malformed), detail, {{std::move(pointer), std::move(message)}});
}

}  // namespace

Response to_response(const Error& error) { return render(kind_of(error), error.message, error.fields); }

Response to_response(HttpFault fault, std::string detail) { return render(kind_of(fault), detail, {}); }

Response busy(std::string detail) {
  return to_response(Error{.code = ErrorCode::unavailable, .message = std::move(detail), .retryable = true});
}

Response bad_parameter(std::string_view name, std::string message) {
  return outside_body(fmt::format("/query/{}", name), std::move(message));
}

Response bad_header(std::string_view name, std::string message) {
  return outside_body(fmt::format("/header/{}", name), std::move(message));
}

std::vector<std::string_view> problem_codes() {
  std::vector<std::string_view> codes;
  const auto add = [&](const Kind& kind) {
    if (std::ranges::find(codes, kind.code) == codes.end()) codes.push_back(kind.code);
  };
  for (const ErrorCode code : values_of<ErrorCode>()) add(kind_of(Error{.code = code}));
  for (int fault = 0; fault <= static_cast<int>(HttpFault::unknown_version); ++fault)
    add(kind_of(static_cast<HttpFault>(fault)));
  return codes;
}

}  // namespace ym::api
