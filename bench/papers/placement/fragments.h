// How much of a node's idle GPUs is a fragment: of no use to the pods there are, on average (Weng et al., USENIX ATC
// 2023). To a pod that cannot run there all that is idle is; else what is idle of GPUs that have too little for it.
#pragma once

#include <cstdint>
#include <vector>

#include "papers/placement/traces.h"

namespace ym::sim::placement {

struct PodType {
  Shape shape;
  std::int64_t pods = 0;
};

// As published: distinct CPUs, GPUs and types of the list, without memory, the most frequent first until 95% of all
// pods are covered; pods without GPUs too, to which all that is idle is a fragment.
std::vector<PodType> published_types(const PodList& list);

struct TypeLimits {
  std::size_t most = 32;
  std::int64_t percent = 99;  // of the pods with GPUs: these are enough
};

// As the engine takes them (engine/state/workload.h): pods with GPUs, with their memory, without their types of GPUs;
// the most frequent ones within the limits.
std::vector<PodType> engine_types(const PodList& list, const TypeLimits& limits = {});

class Fragments {
 public:
  // `whole_nodes`: so many pods more, which need a whole node, whichever it is.
  explicit Fragments(const std::vector<PodType>& types, std::int64_t whole_nodes = 0);

  // Summed over all pods of all types, in thousandths of a GPU.
  std::int64_t of(const Room& room) const;
  std::int64_t pods() const { return pods_; }  // those that need a whole node too

 private:
  std::vector<std::int32_t> cpu_milli_, memory_mib_, gpus_, gpu_milli_;  // by type
  std::vector<std::uint32_t> types_;
  std::vector<std::int64_t> weights_;
  std::int64_t whole_nodes_ = 0;
  std::int64_t pods_ = 0;
};

}  // namespace ym::sim::placement
