#include "engine/placement/together.h"

#include <algorithm>

namespace ym::engine {

Together::Together(const IndexedVector<PartBit, std::size_t>& wanted) : beyond_(std::size_t{1} << wanted.size()) {
  for (PartMask set = 1; set < beyond_.size(); ++set)
    for (const PartBit part : wanted.indices())
      if ((set & mask_of(part)) != 0) beyond_[set] -= static_cast<std::int64_t>(wanted[part]);
}

void Together::add(PartMask node, std::int64_t nodes) {
  for (PartMask set = 1; set < beyond_.size(); ++set)
    if ((set & node) != 0) beyond_[set] += nodes;
}

bool Together::is_enough() const {
  return std::ranges::all_of(beyond_, [](std::int64_t nodes) { return nodes >= 0; });
}

// For sets that contain the part nothing changes: they have one node less, and need one less.
bool Together::take(PartBit part, PartMask node) {
  const auto loses = [&](PartMask set) { return (set & node) != 0 && (set & mask_of(part)) == 0; };
  for (PartMask set = 1; set < beyond_.size(); ++set)
    if (loses(set) && beyond_[set] == 0) return false;
  for (PartMask set = 1; set < beyond_.size(); ++set) beyond_[set] -= loses(set);
  return true;
}

}  // namespace ym::engine
