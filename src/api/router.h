// Router: from a path to the routes of the table. Built once, then only read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/routes/route.h"

namespace ym::api {

class Router {
 public:
  // Keeps the span. Precondition: no two routes share method and pattern.
  explicit Router(std::span<const Route> routes);

  struct Match {
    std::string_view pattern;      // empty: there is nothing at this path
    const Route* route = nullptr;  // nothing: not with this method
    std::string_view id{};         // of the path
    std::string_view attempt{};    // of the path
    std::string_view task{};       // of the path
    std::string_view allow;        // "GET, HEAD, POST"
  };
  // The views point into `path` and into the router.
  Match find(Method method, std::span<const std::string> path) const;

 private:
  struct Place {
    std::string_view pattern;
    std::vector<std::string_view> segments;  // "{id}", "{n}" and "{t}" fit any segment that is not empty
    std::vector<const Route*> routes;
    std::string allow;
  };

  Place& place_of(std::string_view pattern);

  // By number of segments: few places are ever compared.
  std::vector<std::vector<Place>> places_;
};

}  // namespace ym::api
