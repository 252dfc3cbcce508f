// Router: from a path to the routes of a table. Built once, then only read.
//
// A pattern is a path whose segments are literal, or parameters: "{id}" stands for one segment that is not empty, and
// "{path*}" at the end for all of the rest, at least one segment. The rest never has a segment that is empty, "." or
// "..", or holds a slash, a backslash or a control character: such a path fits no wildcard.
//
// Of patterns that fit, the more specific one wins: one without a wildcard before one with, then segment by segment a
// literal before a parameter, and a parameter before a wildcard.
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
  // Keeps the span. Preconditions: patterns are well-formed, no two routes share method and pattern, no two patterns
  // differ only in the names of parameters, and routes for attempts name the attempt (attempt_parameters).
  explicit Router(std::span<const Route> routes);

  struct Match {
    std::string_view pattern;      // empty: there is nothing at this path
    const Route* route = nullptr;  // nothing: not with this method
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
    std::string_view text;  // of a parameter, its name
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

  // By number of segments: few places are ever compared.
  std::vector<std::vector<Place>> places_;
  std::vector<Place> open_ended_;  // with a wildcard
};

}  // namespace ym::api
