#include "api/router.h"

#include <algorithm>

#include "api/http/target.h"
#include "api/http/text.h"
#include "base/assert.h"

namespace ym::api {

Router::Segment Router::parse_segment(std::string_view text) {
  if (!text.contains('{') && !text.contains('}')) return {.kind = Kind::literal, .text = text};
  YM_ASSERT(text.starts_with('{') && text.ends_with('}'));
  std::string_view name = text.substr(1, text.size() - 2);
  const Kind kind = name.ends_with('*') ? Kind::rest : Kind::one;
  if (kind == Kind::rest) name.remove_suffix(1);
  YM_ASSERT(!name.empty() && name.find_first_of("{}*") == std::string_view::npos);
  return {.kind = kind, .text = name};
}

std::vector<Router::Segment> Router::parse_pattern(std::string_view pattern) {
  YM_ASSERT(pattern.starts_with('/') && (pattern == "/" || !pattern.ends_with('/')) && !pattern.contains("//"));
  std::vector<Segment> segments;
  for (auto left = pattern.substr(1); !left.empty();) {
    YM_ASSERT(segments.empty() || segments.back().kind != Kind::rest);
    const Segment segment = parse_segment(take_until(left, '/'));
    for (const auto& other : segments)
      YM_ASSERT(segment.kind == Kind::literal || other.kind == Kind::literal || segment.text != other.text);
    segments.push_back(segment);
  }
  return segments;
}

Router::Router(std::span<const Route> routes) {
  for (const auto& route : routes) {
    Place& place = place_of(route.pattern);
    for (const auto* other : place.routes) YM_ASSERT(other->method != route.method);
    for (const auto name : attempt_parameters(route.needs))
      YM_ASSERT(std::ranges::any_of(
          place.segments, [&](const Segment& segment) { return segment.kind == Kind::one && segment.text == name; }));
    place.routes.push_back(&route);
    if (!place.allow.empty()) place.allow += ", ";
    place.allow += to_string(route.method);
    if (route.method == Method::get) place.allow += ", HEAD";
  }
  for (auto& places : places_) std::ranges::sort(places, goes_before);
  std::ranges::sort(open_ended_, goes_before);
}

bool Router::goes_before(const Place& a, const Place& b) {
  return std::ranges::lexicographical_compare(a.segments, b.segments, {}, &Segment::kind, &Segment::kind);
}

bool Router::have_same_shape(std::span<const Segment> a, std::span<const Segment> b) {
  return std::ranges::equal(a, b, [](const Segment& one, const Segment& other) {
    return one.kind == other.kind && (one.kind != Kind::literal || one.text == other.text);
  });
}

std::vector<Router::Place>& Router::places_for(std::span<const Segment> segments) {
  if (!segments.empty() && segments.back().kind == Kind::rest) return open_ended_;
  if (places_.size() <= segments.size()) places_.resize(segments.size() + 1);
  return places_[segments.size()];
}

Router::Place& Router::place_of(std::string_view pattern) {
  auto segments = parse_pattern(pattern);
  auto& places = places_for(segments);
  for (auto& place : places) {
    if (place.pattern == pattern) return place;
    YM_ASSERT(!have_same_shape(place.segments, segments));
  }
  return places.emplace_back(Place{pattern, std::move(segments), {}, {}});
}

bool Router::fits(std::span<const Segment> pattern, std::span<const std::string> path, PathParameters& parameters) {
  const bool open = !pattern.empty() && pattern.back().kind == Kind::rest;
  if (open ? path.size() < pattern.size() : path.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const Segment& segment = pattern[i];
    if (segment.kind == Kind::literal ? segment.text != path[i] : path[i].empty()) return false;
    if (segment.kind == Kind::one) parameters.add(segment.text, path[i]);
  }
  if (!open) return true;
  std::string rest;
  for (const auto& segment : path.subspan(pattern.size() - 1)) {
    if (segment.empty() || !is_harmless_segment(segment)) return false;
    rest += rest.empty() ? segment : "/" + segment;
  }
  parameters.add(pattern.back().text, std::move(rest));
  return true;
}

const Router::Place* Router::look(std::span<const Place> places, std::span<const std::string> path,
                                  PathParameters& found) {
  for (const auto& place : places) {
    PathParameters parameters;
    if (!fits(place.segments, path, parameters)) continue;
    found = std::move(parameters);
    return &place;
  }
  return nullptr;
}

Router::Match Router::find(Method method, std::span<const std::string> path) const {
  Match match;
  const Place* place = path.size() < places_.size() ? look(places_[path.size()], path, match.parameters) : nullptr;
  if (place == nullptr) place = look(open_ended_, path, match.parameters);
  if (place == nullptr) return match;
  match.pattern = place->pattern;
  match.allow = place->allow;
  const Method wanted = method == Method::head ? Method::get : method;
  const auto route = std::ranges::find(place->routes, wanted, &Route::method);
  if (route != place->routes.end()) match.route = *route;
  return match;
}

}  // namespace ym::api
