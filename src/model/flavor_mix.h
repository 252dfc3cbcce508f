// What an attempt is charged to: a flavor, or two of a gang that keeps an anchor (PlacementRules::anchor).
#pragma once

#include <string>
#include <string_view>

namespace ym {

// "h100", or "h100+h100-spot": the anchor's flavor, and that of the others.
struct FlavorMix {
  std::string_view anchor;  // empty: no mix
  std::string_view rest;
};

// A view of the name. No flavor's own name has the sign between them.
FlavorMix split_flavors(std::string_view name);
std::string join_flavors(std::string_view anchor, std::string_view rest);

}  // namespace ym
