// Together: whether the nodes of one pool are enough for all parts of a gang, with one node for each task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/state/indices.h"

namespace ym::engine {

// A part of a gang, among its parts that look for nodes together.
using PartBit = StrongIndex<struct PartBitTag>;
// If all parts of the gang look together.
constexpr PartBit bit_of(PartIndex part) { return PartBit(part.value); }
// The parts that could use a node.
using PartMask = std::uint32_t;
constexpr PartMask mask_of(PartBit part) { return PartMask{1} << part.value; }

// By Hall's theorem (1935) all parts find their nodes if each set of parts together finds as many as it needs. This
// counts, for each of the 2^parts sets, how many nodes there are beyond that.
class Together {
 public:
  // The number of nodes that each needs.
  explicit Together(const IndexedVector<PartBit, std::size_t>& wanted);

  // Adds nodes that these parts could use.
  void add(PartMask node, std::int64_t nodes = 1);
  bool is_enough() const;
  // The part gets such a node. False: the others would find too few, and nothing changes. Preconditions: there are
  // enough, the part needs more, and could use the node, which was added.
  bool take(PartBit part, PartMask node);

 private:
  std::vector<std::int64_t> beyond_;  // by set of parts
};

}  // namespace ym::engine
