// A cluster that pods come to and leave, one by one: what is free where, and who goes where.
//
// Fast, because a policy is asked again only about nodes that changed since it last saw a pod of the same shape.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "papers/placement/policy.h"
#include "papers/placement/traces.h"

namespace ym::sim::placement {

struct Place {
  Node node = 0;
  GpuMask gpus = 0;
};

class Cluster {
 public:
  // Views of all three, which must not change.
  Cluster(const Fleet& fleet, const PodList& list, Policy& policy);

  // Nothing: it fits nowhere.
  std::optional<Place> place(ShapeId pod);
  // Precondition: such a pod is there.
  void release(ShapeId pod, const Place& place);

  const std::vector<Room>& rooms() const { return rooms_; }
  std::int64_t allocated_milli() const { return allocated_milli_; }

 private:
  struct Seen {
    std::vector<Cost> costs;  // by node; none: it was never asked
    std::size_t changes = 0;  // how many of them it knows
  };

  void look(const Shape& shape, Seen& seen, Node node);
  const Seen& costs_of(ShapeId pod);
  void change(ShapeId pod, const Place& place, std::int32_t pods);

  const PodList& list_;
  Policy& policy_;
  std::vector<Room> rooms_;
  std::int64_t allocated_milli_ = 0;
  std::vector<Seen> seen_;                // by shape
  std::vector<Node> changes_;             // nodes in the order in which they changed
  std::vector<std::uint64_t> looked_at_;  // by node, the number of the last look
  std::uint64_t looks_ = 0;
};

}  // namespace ym::sim::placement
