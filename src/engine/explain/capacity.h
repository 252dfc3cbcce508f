// Why the machines of a flavor cannot take a gang now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// What is free for a gang in the cluster that comes closest. Only nodes that are large
// enough count, and only clusters that have enough of those.
struct FreeNow {
  ClusterIndex cluster = kNone;
  std::size_t fitting = 0;              // nodes with room for a task, in whole slices
  std::size_t drained = 0;              // nodes out of service
  ResourceVector total;                 // free on the nodes in service
  ResourceVector largest;               // most of each kind that is free on one node
  ResourceVector enough;                // nodes with enough of each kind alone
  std::int64_t largest_gpu_memory = 0;  // for who shares a device: most that is free of one
};

enum class Lack : std::uint8_t { nothing, capacity, whole_places, cluster };

struct CapacityFinding {
  Lack lack = Lack::nothing;
  FreeNow free;
  std::size_t unavailable = 0;  // Lack::cluster: nodes behind it
};

// The machines as they are at the end of a cycle. What is counted for a shape is remembered for all that need the same
// of each node. The cycle must outlive it.
class FreeMachines {
 public:
  explicit FreeMachines(Cycle& cycle);

  // Precondition: the shape can run in the flavor, some day. Who keeps nodes for himself does not count here.
  CapacityFinding find(const Shape& shape, FlavorIndex flavor);

 private:
  // Flavor, rule, levels that are required and of slices, how many nodes a slice has, task.
  using Asked = std::tuple<FlavorIndex, RuleIndex, LevelIndex, LevelIndex, std::size_t, Task>;
  const std::vector<FreeNow>& by_pool(const Shape& shape, FlavorIndex flavor);
  // Of nodes of one pool.
  FreeNow count(const Shape& shape, const std::vector<NodeIndex>& large) const;

  Cycle& cycle_;
  // What is free for tasks that take whole GPUs. Not less than nothing.
  IndexedVector<NodeIndex, ResourceVector> of_whole_;
  // Whether something may be free for any task. 0: nothing is, as on most nodes where many jobs wait.
  IndexedVector<NodeIndex, std::uint8_t> may_be_some_;
  std::map<Asked, std::vector<FreeNow>> known_;
};

// Whether both parts of a mix have room in one place, each of which has some. Who keeps nodes does not count either.
bool has_room_together(const Cycle& cycle, const Shape& shape, const Flavors& flavors);

// Who keeps nodes that the shape could use if they were free; kNone: nobody.
Rank node_keeper(Cycle& cycle, const Shape& shape, FlavorIndex flavor);

}  // namespace ym::engine
