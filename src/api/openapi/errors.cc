#include "api/openapi/errors.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::api::openapi {
namespace {

std::string_view usual_meaning(int status) {
  switch (status) {
    case 400: return "The request is malformed, or a parameter is wrong.";
    case 401: return "No valid token.";
    case 403: return "Not allowed: a foreign host name, a page of another site, or a missing role.";
    case 404: return "No such object.";
    case 406: return "Not available in an accepted type.";
    case 409: return "The present state does not allow it.";
    case 413: return "The body is over 1 MiB.";
    case 414: return "The address is too long.";
    case 415: return "Unsupported content type.";
    case 422: return "The content is well-formed, but fields of it are wrong.";
    case 429: return "Too many requests.";
    case 500: return "A failure of the server.";
    case 503: return "Cannot be served now. Nothing was changed.";
    default: YM_ASSERT(false);
  }
  return {};
}

void add_of_needs(Needs needs, std::map<int, std::string_view>& errors) {
  if (needs.is_open()) return;
  errors[401] = usual_meaning(401);
  errors[429] = usual_meaning(429);
  if (!needs.admits_attempts()) return;
  errors[403] = "Not the token of this attempt, or a foreign host name.";
  errors[404] = "No such attempt.";
  if (needs.admits_attempts_only()) errors[429] = "More than ten requests for the attempt in a second.";
  else errors[403] = "Neither the token of this attempt nor one that may read the job, or a foreign host name.";
}

void add_of_body(const Route& route, const Operation& operation, std::map<int, std::string_view>& errors) {
  if (route.body == Body::none) return;
  for (const int status : {413, 415}) errors[status] = usual_meaning(status);
  if (route.body != Body::json_if_present || !operation.content.empty()) errors[422] = usual_meaning(422);
}

void add_of_address(const Route& route, const Operation& operation, std::map<int, std::string_view>& errors) {
  const bool has_path = route.pattern.contains('{');
  const bool has_query =
      std::ranges::any_of(operation.parameters, [](const Parameter& each) { return each.in == "query"; });
  if (has_path || has_query) errors[414] = usual_meaning(414);
  if (has_path) errors[404] = usual_meaning(404);
  // A name may match several jobs.
  if (route.pattern.starts_with("/api/v1/jobs/{")) errors[409] = usual_meaning(409);
}

}  // namespace

std::map<int, std::string_view> errors_of(const Route& route, const Operation& operation) {
  std::map<int, std::string_view> errors;
  for (const int status : {400, 403, 406, 500, 503}) errors[status] = usual_meaning(status);
  add_of_address(route, operation, errors);
  add_of_body(route, operation, errors);
  add_of_needs(route.needs, errors);
  for (const auto& [status, meaning] : operation.errors)
    errors[status] = meaning.empty() ? usual_meaning(status) : meaning;
  return errors;
}

}  // namespace ym::api::openapi
