// What an attempt is charged to: a flavor; or one of each part of its gang, which keeps an anchor
// (PlacementRules::anchor) or is of several groups (JobSpec::groups).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ym {

// "h100" is of one flavor; of "h100+h100-spot" the parts, in the order of their tasks, are of these. Views of the name.
std::vector<std::string_view> split_flavors(std::string_view name);
// No flavor's own name has the sign between them.
std::string join_flavors(std::span<const std::string> parts);

}  // namespace ym
