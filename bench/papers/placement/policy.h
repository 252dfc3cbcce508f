// A rule by which a node, and its GPUs, are chosen for a pod.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "papers/placement/room.h"

namespace ym::sim::placement {

// Smaller is better; of equal ones the first node of the run's order.
using Cost = std::uint64_t;
inline constexpr Cost kNoRoom = std::numeric_limits<Cost>::max();

struct Offer {
  Cost cost = 0;
  GpuMask gpus = 0;
};

// One that has seen one cluster. What it says of a node depends on the node alone, so that it can be kept until the
// node changes.
class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  // Precondition: the pod fits.
  virtual Offer offer(const Shape& shape, Node node, const Room& room) = 0;
  // Of each node at the beginning, and of one that a pod came to or left.
  virtual void changed(Node /*node*/, const Room& /*room*/) {}
  // A pod came to the node (1) or left it (-1).
  virtual void moved(const Shape& /*shape*/, Node /*node*/, std::int32_t /*pods*/) {}
  // The node that gets the pod, by what each costs; one without room: none has.
  virtual Node choose(std::span<const Cost> costs);
};

// A score from 0 to 100, smaller is better; then best fit as the engine has it: the fewest GPUs free, then the fewest
// CPUs, then the least memory. Precondition: a node has at most 8 GPUs, 262 CPUs and 2 TiB.
Cost score_then_best_fit(std::int64_t score, const Room& room);
// The same, but before best fit the node with the fewest GPUs, free or not.
Cost score_then_small_nodes(std::int64_t score, const Room& room);

}  // namespace ym::sim::placement
