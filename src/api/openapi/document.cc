#include "api/openapi/document.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <cctype>
#include <optional>

#include "api/openapi/answers.h"
#include "api/openapi/errors.h"
#include "api/openapi/operations.h"
#include "base/assert.h"

namespace ym::api {
namespace openapi {
namespace {

namespace json = boost::json;

constexpr std::string_view kPathText = R"(^[^/\\\u0000-\u001f\u007f]+$)";

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

json::object content_of(std::string_view type, Schema schema) {
  const auto plain = type.substr(0, type.find(';'));
  return {{plain, json::object{{"schema", std::move(schema)}}}};
}

// --- parameters
json::object parameter(std::string_view in, const Member& member) {
  return {{"name", json_text(member.name)},
          {"in", json_text(in)},
          {"required", in == "path"},
          {"schema", member.schema},
          {"description", json_text(member.meaning)}};
}

Member path_parameter(std::string_view name, const Operation& operation) {
  if (name == "n") return {name, whole(1), "The attempt's number."};
  if (name == "t") return {name, whole(0), "The task's number."};
  YM_ASSERT(name == "id" && !operation.object.empty());
  return {name, text({.least = 1, .pattern = kPathText}), operation.object};
}

json::array parameters_of(const Operation& operation) {
  json::array all;
  for (auto rest = operation.path; rest.contains('{');) {
    rest.remove_prefix(rest.find('{') + 1);
    all.push_back(parameter("path", path_parameter(rest.substr(0, rest.find('}')), operation)));
  }
  for (const Parameter& each : operation.parameters) all.push_back(parameter(each.in, each.member));
  return all;
}

// --- bodies
json::object body_of(const Route& route, const Operation& operation) {
  json::object types;
  if (route.body != Body::yaml)
    types = content_of(kJson, operation.content.empty() ? closed(any_object()) : operation.content);
  YM_ASSERT((route.body == Body::yaml || route.body == Body::jobs) == !operation.yaml.empty());
  if (!operation.yaml.empty())
    for (auto& [type, content] : content_of(kYaml, described(text(), operation.yaml))) types[type] = content;
  return {{"required", route.body != Body::json_if_present}, {"content", std::move(types)}};
}

json::object answer_of(Produces produces, const Answer& answer) {
  json::object out{{"description", json_text(answer.meaning)}};
  if (!answer.schema.empty()) {
    json::object types = content_of(produces == Produces::text ? kText : kJson, answer.schema);
    if (produces == Produces::json_or_events)
      for (auto& [type, content] : content_of(kEventStream, text())) types[type] = content;
    out["content"] = std::move(types);
  }
  json::object headers;
  for (const Member& header : answer.headers)
    headers[header.name] = json::object{{"schema", header.schema}, {"description", json_text(header.meaning)}};
  if (!headers.empty()) out["headers"] = std::move(headers);
  return out;
}

json::object responses_of(const Route& route, const Operation& operation) {
  json::object all;
  for (const Answer& answer : operation.answers) all[std::to_string(answer.status)] = answer_of(route.produces, answer);
  for (const auto& [status, meaning] : errors_of(route, operation))
    all[std::to_string(status)] = json::object{{"description", json_text(meaning)},
                                               {"content", content_of("application/problem+json", ref("Problem"))}};
  return all;
}

// --- tokens
// Nothing: the token of a principal, which is the default of the document.
std::optional<json::array> security_of(Admits admits) {
  const json::object token{{"token", json::array()}}, job_token{{"jobToken", json::array()}};
  switch (admits) {
    case Admits::anyone:
    case Admits::logins: return json::array();
    case Admits::principals: return std::nullopt;
    case Admits::attempt:
    case Admits::task: return json::array{job_token};
    case Admits::attempt_or_principals: return json::array{job_token, token};
  }
  return std::nullopt;
}

json::object security_schemes() {
  const auto bearer = [](std::string_view meaning) {
    return json::object{{"type", "http"}, {"scheme", "bearer"}, {"description", json_text(meaning)}};
  };
  return {{"token", bearer("The server's first start writes one to the file admin.token in its state directory.")},
          {"jobToken", bearer("A job finds it in the file that YM_TOKEN_FILE names. It is valid for the progress and "
                              "the notice of that attempt only, and replaced while the job runs.")}};
}

// --- the whole document
json::object operation_of(const Route& route, const Operation& operation, std::string_view tag) {
  json::object out{{"operationId", json_text(operation.id)},
                   {"summary", json_text(operation.summary)},
                   {"tags", json::array{json_text(tag)}}};
  if (!operation.description.empty()) out["description"] = json_text(operation.description);
  if (auto security = security_of(route.needs.admits())) out["security"] = std::move(*security);
  if (auto parameters = parameters_of(operation); !parameters.empty()) out["parameters"] = std::move(parameters);
  if (route.body != Body::none) out["requestBody"] = body_of(route, operation);
  out["responses"] = responses_of(route, operation);
  return out;
}

const Route& route_of(const Operation& operation) {
  const auto routes = all_routes();
  const auto found = std::ranges::find_if(
      routes, [&](const Route& route) { return route.method == operation.method && route.pattern == operation.path; });
  YM_ASSERT(found != routes.end());
  return *found;
}

json::object paths() {
  json::object all;
  std::size_t described = 0;
  for (const Group& group : {server_operations(), job_operations(), attempt_operations(), cluster_operations(),
                             token_operations(), access_operations()}) {
    for (const Operation& operation : group.operations) {
      auto& path = all[operation.path];
      if (path.is_null()) path = json::object();
      const bool is_new =
          path.as_object()
              .emplace(lower(to_string(operation.method)), operation_of(route_of(operation), operation, group.tag))
              .second;
      YM_ASSERT(is_new);
      ++described;
    }
  }
  YM_ASSERT(described == static_cast<std::size_t>(std::ranges::count_if(all_routes(), &Route::is_described)));
  return all;
}

json::object schemas() {
  json::object all;
  for (const auto& part :
       {job_answers(), job_spec_answers(), attempt_answers(), explanation_answers(), queue_answers(), policy_answers(),
        cluster_answers(), event_answers(), token_answers(), access_answers(), server_answers()})
    for (const Named& each : part) {
      const bool is_new =
          all.emplace(each.name, each.meaning.empty() ? each.schema : described(each.schema, each.meaning)).second;
      YM_ASSERT(is_new);
    }
  return all;
}

json::object info() {
  return {{"title", "Yardmaster"},
          {"version", "1"},
          {"description",
           "One queue for all of a team's GPUs. Each GET route answers HEAD too. Any request may also get 405, 408, "
           "413, 414, 431, 501 or 505 if it breaks the rules of HTTP."},
          {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}};
}

}  // namespace

std::string make_document() {
  return json::serialize(
      json::object{{"openapi", "3.1.0"},
                   {"info", info()},
                   {"servers", json::array{json::object{{"url", "/"}}}},
                   {"security", json::array{json::object{{"token", json::array()}}}},
                   {"paths", paths()},
                   {"components", json::object{{"securitySchemes", security_schemes()}, {"schemas", schemas()}}}});
}

}  // namespace openapi

std::string_view openapi_document() {
  static const std::string text = openapi::make_document();
  return text;
}

}  // namespace ym::api
