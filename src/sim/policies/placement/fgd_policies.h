// Fragmentation gradient descent: the node where a pod adds fewest fragments.
#pragma once

#include <vector>

#include "sim/policies/placement/curve.h"
#include "sim/policies/placement/fragments.h"
#include "sim/policies/placement/policy.h"

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

// As the engine does it by default (engine/placement/fgd.h): memory counts, one in eight pods is taken to need a whole
// node besides, and best fit is the second key; of a node's GPUs that which costs least, then the fullest, then the
// first.
class EngineFgdPolicy : public Policy {
 public:
  explicit EngineFgdPolicy(const PodList& list);
  Offer offer(const Shape& shape, Node node, const Room& room) override;
  void changed(Node node, const Room& room) override;

 protected:
  struct Extras {
    bool small_nodes_first = false;
    std::vector<std::int64_t> type_costs{};  // by node; none: nothing
  };
  EngineFgdPolicy(const std::vector<PodType>& types, Extras extras);

 private:
  Fragments fragments_;
  Curve curve_;
  Extras extras_;
  std::vector<std::int64_t> now_;  // by node
};

// The same for clusters that pods leave: with more types of pods; with what it costs to take GPUs of types that some
// insist on (type_costs.h), of which FGD by the engine knows nothing; and with another second key, the node with the
// fewest GPUs of its own, then the fewest CPUs left, then the least memory. Large nodes are left to pods that fit
// nowhere else: where pods leave, that a node stays out of use matters more than that it is full when it is used.
class SmallNodesFgdPolicy : public EngineFgdPolicy {
 public:
  SmallNodesFgdPolicy(const PodList& list, const Fleet& fleet);
};

}  // namespace ym::sim::placement
