// Why the machines of a flavor cannot take a gang now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// What is free for a gang in the cluster that comes closest. Only nodes that are large enough count, and only clusters
// with enough of these.
struct FreeNow {
  ClusterIndex cluster = kNone;
  std::size_t fitting = 0;              // nodes with room for a task, in whole slices
  std::size_t drained = 0;              // nodes out of service
  ResourceVector total;                 // free on the nodes in service
  ResourceVector largest;               // most of each kind that is free on one node
  ResourceVector enough;                // nodes with enough of each kind alone
  std::int64_t largest_gpu_memory = 0;  // for a job that shares a GPU: most memory that is free on one
};

enum class Lack : std::uint8_t { nothing, capacity, whole_places, cluster };

struct CapacityFinding {
  Lack lack = Lack::nothing;
  FreeNow free;
  std::size_t unavailable = 0;  // Lack::cluster: its nodes
};

// The machines at the end of a cycle. A count for a shape is reused for all shapes that need the same of each node. The
// cycle must outlive it.
class FreeMachines {
 public:
  explicit FreeMachines(const Inputs& in);

  // Precondition: the shape can run in the flavor, some day. Nodes that jobs keep from it count as free here.
  CapacityFinding find(const Shape& shape, FlavorIndex flavor);

 private:
  // Flavor, rule, required level, level of slices, nodes of a slice, task.
  using Asked = std::tuple<FlavorIndex, RuleIndex, LevelIndex, LevelIndex, std::size_t, Task>;
  const IndexedVector<PoolIndex, FreeNow>& by_pool(const Shape& shape, FlavorIndex flavor);
  // Counts the nodes of one pool.
  FreeNow count(const Shape& shape, const std::vector<NodeIndex>& large) const;

  const Inputs& in_;
  // What is free for tasks that take whole GPUs; never negative.
  IndexedVector<NodeIndex, ResourceVector> of_whole_;
  // Whether any task may find something free. 0: nothing is free. So it is on most nodes where many jobs wait.
  IndexedVector<NodeIndex, std::uint8_t> may_be_some_;
  std::map<Asked, IndexedVector<PoolIndex, FreeNow>> known_;
};

// Whether both parts of a mix have room in one place. Each has room by itself. Nodes that jobs keep count as free here,
// too.
bool has_room_together(const Inputs& in, const Tried& tried, const Shape& shape, const Flavors& flavors);

// The first job that keeps nodes that the shape could use if they were free; kNone: no job.
Rank node_keeper(const Inputs& in, const Tried& tried, const Shape& shape, FlavorIndex flavor);

}  // namespace ym::engine
