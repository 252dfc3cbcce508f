// Fragmentation gradient descent: the node where a pod adds fewest fragments.
#pragma once

#include <vector>

#include "papers/placement/curve.h"
#include "papers/placement/fragments.h"
#include "papers/placement/policy.h"

namespace ym::sim::placement {

// As published (Weng et al., USENIX ATC 2023): the difference by its place on the curve, 0 to 100; ties, and those
// between the GPUs of a node, go to the first.
class PublishedFgdPolicy : public Policy {
 public:
  explicit PublishedFgdPolicy(const PodList& list);
  Offer offer(const Shape& shape, Node node, const Room& room) override;
  void changed(Node node, const Room& room) override;

 private:
  Fragments fragments_;
  Curve curve_;
  std::vector<std::int64_t> now_;  // by node
};

// As the engine does it by default (engine/placement/fgd.h): memory counts, one in sixteen pods is taken to need a
// whole node besides, GPUs of types on which some insist cost more (type_costs.h); then the node with the fewest GPUs
// of its own, then best fit; of a node's GPUs that which costs least, then the fullest, then the first.
//
// The engine counts the jobs that have not ended; here all of the list's count, throughout. Their mix is the same, but
// what is asked for of each type is more than by the pods that are there, which are not all that came. Between flavors
// the engine weighs nothing: this is one flavor.
class EngineFgdPolicy : public Policy {
 public:
  EngineFgdPolicy(const PodList& list, const Fleet& fleet);
  Offer offer(const Shape& shape, Node node, const Room& room) override;
  void changed(Node node, const Room& room) override;

 private:
  Fragments fragments_;
  Curve curve_;
  std::vector<std::int64_t> type_costs_;  // by node
  std::vector<std::int64_t> now_;         // by node
};

}  // namespace ym::sim::placement
