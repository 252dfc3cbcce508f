// Names of the flavors that an attempt is charged to. One flavor; or one for each part of its gang, if it has an anchor
// (PlacementRules::anchor) or several groups (JobSpec::groups).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ym {

// "h100" is one flavor. "h100+h100-spot" is two, one for each part of the gang, in the order of the tasks. Returns
// views of `name`.
std::vector<std::string_view> split_flavors(std::string_view name);
// No flavor's own name has a "+".
std::string join_flavors(std::span<const std::string> parts);

}  // namespace ym
