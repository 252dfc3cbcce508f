#include "reference/together.h"

#include <algorithm>
#include <map>
#include <set>

namespace ym::reference {
namespace {

// Finds a node for one more task of the part. Tasks of other parts may have to move for that.
bool find_another(const std::vector<PartSearch>& parts, std::size_t part, std::map<const Node*, std::size_t>& taken,
                  std::set<const Node*>& seen) {
  for (const Node* node : parts[part].nodes) {
    if (!seen.insert(node).second) continue;
    const auto holder = taken.find(node);
    if (holder != taken.end() && !find_another(parts, holder->second, taken, seen)) continue;
    taken[node] = part;
    return true;
  }
  return false;
}

}  // namespace

bool are_enough(const std::vector<PartSearch>& parts) {
  std::map<const Node*, std::size_t> taken;
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (std::size_t task = 0; task < parts[part].wanted; ++task) {
      std::set<const Node*> seen;
      if (!find_another(parts, part, taken, seen)) return false;
    }
  return true;
}

std::vector<std::vector<const Node*>> choose_together(std::vector<PartSearch> parts) {
  std::vector<std::vector<const Node*>> chosen(parts.size());
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const Node* node : std::vector(parts[part].nodes)) {
      if (parts[part].wanted == 0) break;
      auto left = parts;
      left[part].wanted -= 1;
      for (PartSearch& one : left) std::erase(one.nodes, node);
      if (!are_enough(left)) continue;
      chosen[part].push_back(node);
      parts = std::move(left);
    }
  return chosen;
}

}  // namespace ym::reference
