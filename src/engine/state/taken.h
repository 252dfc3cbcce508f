// Taken: what is taken of the nodes for one purpose, by node.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/node_need.h"

namespace ym::engine {

struct Taken {
  std::vector<std::uint64_t> devices;  // bit i: row.devices[i], as a whole
  std::vector<std::int64_t> cpus, memory;
  // Of devices that are shared; none for a node of which no device ever was. Those beyond the end: nothing.
  std::vector<std::vector<Part>> parts;

  void grow(std::size_t size);
  // `bits`: the devices; of one that shares, the one of which it has a part. 0: it is not there any more.
  void add(Index n, const NodeNeed& need, std::uint64_t bits);
  void remove(Index n, const NodeNeed& need, std::uint64_t bits);
  void add_devices(Index n, const NodeNeed& need, std::uint64_t bits);
  // Only those: of no device anything is taken now.
  void clear_devices(Index n);

  Part part(Index n, std::size_t device) const { return device < parts[n].size() ? parts[n][device] : Part{}; }
  bool nothing_of(Index n) const;
  // Whether the same is taken of the node.
  bool equals(const Taken& other, Index n) const;
};

}  // namespace ym::engine
