// Slices: a gang may ask that each slice of N nodes is in one domain of a level. Slices may share a domain.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/nodes/levels.h"

namespace ym::engine {

// How many of the nodes a gang with these levels can use at once: those in whole slices.
std::size_t usable(const Topology& topology, const Levels& levels, std::span<const NodeIndex> nodes);

// Selects `count` items from items in order of preference: the slices that are complete first, slice by slice.
// `node_of` returns the node of an item. Precondition: `count` items are usable, and make whole slices.
template <class Item, class NodeOf>
std::vector<std::vector<Item>> first_slices(const Topology& topology, const Levels& levels,
                                            const std::vector<Item>& items, std::size_t count, NodeOf node_of) {
  std::map<DomainIndex, std::vector<Item>> begun;  // by domain
  std::vector<std::vector<Item>> slices;
  const std::size_t wanted = count / levels.slice_nodes;
  for (const Item& item : items) {
    if (slices.size() == wanted) break;
    const DomainIndex domain = topology.domain(levels.slice, node_of(item));
    if (domain == kNone) continue;
    auto& slice = begun[domain];
    slice.push_back(item);
    if (slice.size() < levels.slice_nodes) continue;
    slices.push_back(std::move(slice));
    slice.clear();
  }
  return slices;
}

}  // namespace ym::engine
