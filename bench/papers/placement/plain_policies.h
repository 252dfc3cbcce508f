// What FGD was compared with by Weng et al. (USENIX ATC 2023), as their repository has it. Scores are whole numbers up
// to 100, ties go to the first node; a share gets the GPU with the least free that has room, whole GPUs the first
// ones.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "base/random.h"
#include "papers/placement/policy.h"

namespace ym::sim::placement {

// Any node that has room, and any of its GPUs.
class RandomPolicy : public Policy {
 public:
  explicit RandomPolicy(std::uint64_t seed) : random_(seed) {}
  Offer offer(const Shape& shape, Node node, const Room& room) override;
  Node choose(std::span<const Cost> costs) override;

 private:
  Random random_;
};

// The least product of what is asked for and what is free, CPUs and GPUs in parts of the largest node (after Tetris,
// Grandl et al., SIGCOMM 2014, turned round).
class DotProductPolicy : public Policy {
 public:
  Offer offer(const Shape& shape, Node node, const Room& room) override;
};

// Pods of one class (shares, one GPU, two, ..) together: nodes that have that class alone, then among others, then
// none, then others; within that the fewest GPUs free.
class GpuClusteringPolicy : public Policy {
 public:
  Offer offer(const Shape& shape, Node node, const Room& room) override;
  void moved(const Shape& shape, Node node, std::int32_t pods) override;

 private:
  std::map<Node, std::array<std::int32_t, kMostGpus + 1>> pods_;  // by class; 0: shares
};

// GPUs that are in use already, then free GPUs of nodes in use, then free nodes.
class GpuPackingPolicy : public Policy {
 public:
  Offer offer(const Shape& shape, Node node, const Room& room) override;
};

// The least left, of CPUs and GPUs in parts of the largest node, on average.
class BestFitPolicy : public Policy {
 public:
  Offer offer(const Shape& shape, Node node, const Room& room) override;
};

}  // namespace ym::sim::placement
