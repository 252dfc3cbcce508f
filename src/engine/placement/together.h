// Parts of a gang among the nodes of one pool, a node for each task: whether there are enough for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ym::engine {

// Which parts could have a node: bit p for the part p.
using PartMask = std::uint32_t;

// By Hall's theorem (1935) all find their nodes if each set of parts finds, together, as many as it wants: for each of
// the 2^parts sets it is counted how many there are beyond that.
class Together {
 public:
  // By part, how many nodes it wants.
  explicit Together(const std::vector<std::size_t>& wanted);

  // So many more nodes that these could have.
  void add(PartMask node, std::int64_t nodes = 1);
  bool is_enough() const;
  // The part gets such a node; false: the others would find too few, and nothing is changed. Preconditions: there are
  // enough, the part wants more, and could have the node, which was added.
  bool take(std::size_t part, PartMask node);

 private:
  std::vector<std::int64_t> beyond_;  // by set of parts
};

}  // namespace ym::engine
