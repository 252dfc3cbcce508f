// Router: finds the routes of a table for a path. It is built once and then only read.
//
// A pattern is a path. Its segments are literals or parameters: "{id}" stands for one segment that is not empty,
// "{path*}" at the end for all remaining segments, at least one. A remaining segment must not be empty, "." or "..", or
// contain a slash, a backslash or a control character: such a path matches no wildcard.
//
// If several patterns match, the most specific one wins: a pattern without a wildcard before one with; then, segment by
// segment, a literal before a parameter, and a parameter before a wildcard.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/path_parameters.h"
#include "api/routes/route.h"

namespace ym::api {

class Router {
 public:
  // Keeps the span. Preconditions: patterns are well-formed; no two routes have the same method and pattern; no two
  // patterns differ only in names of parameters; routes for attempts have the attempt's parameters
  // (attempt_parameters).
  explicit Router(std::span<const Route> routes);

  struct Match {
    std::string_view pattern;      // empty: no pattern matches the path
    const Route* route = nullptr;  // null: there is no route with this method
    PathParameters parameters{};
    std::string_view allow;  // "GET, HEAD, POST"
  };
  // The views point into the router and its table.
  Match find(Method method, std::span<const std::string> path) const;

 private:
  // In order of precedence.
  enum class Kind : std::uint8_t { literal, one, rest };
  struct Segment {
    Kind kind = Kind::literal;
    std::string_view text;  // of a parameter: its name
  };
  struct Place {
    std::string_view pattern;
    std::vector<Segment> segments;
    std::vector<const Route*> routes;
    std::string allow;
  };

  static Segment parse_segment(std::string_view text);
  static std::vector<Segment> parse_pattern(std::string_view pattern);
  static bool goes_before(const Place& a, const Place& b);
  static bool have_same_shape(std::span<const Segment> a, std::span<const Segment> b);
  static bool fits(std::span<const Segment> pattern, std::span<const std::string> path, PathParameters& parameters);

  std::vector<Place>& places_for(std::span<const Segment> segments);
  Place& place_of(std::string_view pattern);
  static const Place* look(std::span<const Place> places, std::span<const std::string> path, PathParameters& found);

  // By number of segments, so that few places are compared.
  std::vector<std::vector<Place>> places_;
  std::vector<Place> open_ended_;  // with a wildcard
};

}  // namespace ym::api
