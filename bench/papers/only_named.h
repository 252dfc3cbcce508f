// Of all policies of a table those that were asked for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::sim {

// `name`: the member that is its name. None wanted: all. `not_found` names what there is none of.
template <class Policy>
Result<std::vector<Policy>> only_named(std::vector<Policy> all, const std::vector<std::string>& wanted,
                                       std::string Policy::* name) {
  if (wanted.empty()) return all;
  for (const std::string& one : wanted)
    if (std::ranges::find(all, one, name) == all.end())
      return fail(ErrorCode::not_found, fmt::format("no policy is called {}", one));
  std::erase_if(all, [&](const Policy& one) { return std::ranges::find(wanted, one.*name) == wanted.end(); });
  return all;
}

}  // namespace ym::sim
