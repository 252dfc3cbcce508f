// Layout: how the replicas of a job lie on nodes, as far as its speed depends on it.
//
// Layouts on few nodes were measured one by one, and which node comes first makes no difference there: of all rotations
// of (2, 1, 1) the one that reads as the smallest number stands for them. On more nodes than kListedNodes only the
// numbers of nodes and of replicas count.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace ym::sim::elastic {

// Of GPUs, nodes, replicas (one GPU each) and samples of a batch.
using Count = std::uint32_t;

struct Cluster {
  Count nodes = 16, gpus_per_node = 4;

  Count gpus() const { return nodes * gpus_per_node; }
};

inline constexpr Count kListedNodes = 4;

struct Layout {
  Count digits = 0;  // replicas by node, a decimal digit each; 0 on more than kListedNodes nodes
  Count nodes = 0;
  Count gpus = 0;

  auto operator<=>(const Layout&) const = default;
};

// `per_node`: replicas on each node that has some, in the order of the replicas; at most 9 on one.
Layout layout_of(std::span<const Count> per_node);
// On as few nodes as can be.
Layout packed_layout(Count gpus, Count gpus_per_node = Cluster{}.gpus_per_node);

// What a job holds on one node, and on all of them, in the order of its replicas.
struct NodeShare {
  Count node = 0;
  Count gpus = 0;

  bool operator==(const NodeShare&) const = default;
};
using Allocation = std::vector<NodeShare>;

Count gpus_of(const Allocation& allocation);
Layout layout_of(const Allocation& allocation);

}  // namespace ym::sim::elastic
