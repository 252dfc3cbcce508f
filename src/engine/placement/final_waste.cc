#include "engine/placement/final_waste.h"

#include <algorithm>

#include "engine/placement/curve.h"

namespace ym::engine {
namespace {

std::int64_t waste_of(const WasteTable& table, const NodeRoom& room) {
  const std::int64_t idle = room.gpus();
  if (idle <= 0) return 0;
  const std::size_t cpus = table.cpu_step(std::max<std::int64_t>(0, room.cpus), idle);
  const std::size_t memory = table.memory_step(std::max<std::int64_t>(0, room.memory), idle);
  std::int64_t waste = room.devices > 0 ? table.of_whole(room.devices, cpus, memory) : 0;
  for (const SharedDevice& one : room.shared) waste += table.of_shared(one.free.milli, cpus, memory);
  return waste;
}

}  // namespace

std::int64_t final_waste_score(const WasteTable& table, const NodeRoom& free, const NodeRoom& left,
                               std::int64_t type_cost_milli) {
  const std::int64_t taken = free.gpus() - left.gpus();
  return score_of(waste_of(table, free) - waste_of(table, left) - taken * type_cost_milli / kMilli);
}

}  // namespace ym::engine
