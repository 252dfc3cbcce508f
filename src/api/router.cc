#include "api/router.h"

#include "api/http/text.h"
#include "base/assert.h"

namespace ym::api {
namespace {

constexpr std::string_view kId = "{id}";
constexpr std::string_view kAttempt = "{n}";
constexpr std::string_view kTask = "{t}";

std::vector<std::string_view> split(std::string_view pattern) {
  std::vector<std::string_view> segments;
  pattern.remove_prefix(1);
  while (!pattern.empty()) segments.push_back(take_until(pattern, '/'));
  return segments;
}

bool fits(std::span<const std::string_view> pattern, std::span<const std::string> path, Router::Match& match) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == kId && !path[i].empty()) match.id = path[i];
    else if (pattern[i] == kAttempt && !path[i].empty()) match.attempt = path[i];
    else if (pattern[i] == kTask && !path[i].empty()) match.task = path[i];
    else if (pattern[i] != path[i]) return false;
  }
  return true;
}

}  // namespace

Router::Router(std::span<const Route> routes) {
  for (const auto& route : routes) {
    Place& place = place_of(route.pattern);
    for (const auto* other : place.routes) YM_ASSERT(other->method != route.method);
    place.routes.push_back(&route);
    if (!place.allow.empty()) place.allow += ", ";
    place.allow += to_string(route.method);
    if (route.method == Method::get) place.allow += ", HEAD";
  }
}

Router::Place& Router::place_of(std::string_view pattern) {
  auto segments = split(pattern);
  if (places_.size() <= segments.size()) places_.resize(segments.size() + 1);
  auto& places = places_[segments.size()];
  for (auto& place : places) {
    if (place.pattern == pattern) return place;
  }
  return places.emplace_back(Place{pattern, std::move(segments), {}, {}});
}

Router::Match Router::find(Method method, std::span<const std::string> path) const {
  if (path.size() >= places_.size()) return {};
  const Method wanted = method == Method::head ? Method::get : method;
  for (const auto& place : places_[path.size()]) {
    Match match{.pattern = place.pattern, .allow = place.allow};
    if (!fits(place.segments, path, match)) continue;
    for (const auto* route : place.routes) {
      if (route->method == wanted) match.route = route;
    }
    return match;
  }
  return {};
}

}  // namespace ym::api
