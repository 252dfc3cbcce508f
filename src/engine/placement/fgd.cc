#include "engine/placement/fgd.h"

#include <algorithm>
#include <utility>

#include "engine/placement/curve.h"

namespace ym::engine {
namespace {

constexpr std::int64_t kWholeNodes = 16;

bool holds_rest(const NodeRoom& free, const NodeNeed& need) {
  return (need.cpus == 0 || free.cpus >= need.cpus) && (need.memory == 0 || free.memory >= need.memory);
}

std::int64_t fragments_for_sharer(const NodeRoom& free, const NodeNeed& type) {
  const auto fits = [&](const SharedDevice& one) { return one.free.covers(type.part); };
  if (!holds_rest(free, type) || (free.devices == 0 && std::ranges::none_of(free.shared, fits))) return free.gpus();
  std::int64_t useless = 0;
  for (const SharedDevice& one : free.shared)
    if (!fits(one)) useless += one.free.milli;
  return useless;
}

// Idle GPUs that tasks of the type cannot use, in thousandths.
std::int64_t fragments(const NodeRoom& free, const NodeNeed& type) {
  if (type.shares()) return fragments_for_sharer(free, type);
  return free.devices >= type.devices && holds_rest(free, type) ? free.shared_milli : free.gpus();
}

// The least sum whose mean, rounded towards zero, is at least `step`.
std::int64_t least_sum(std::int64_t step, std::int64_t tasks) {
  return step > 0 ? step * tasks : (step - 1) * tasks + 1;
}

}  // namespace

Fragmentation::Fragmentation(ProfileIndex profile, std::vector<TaskType> types)
    : profile_(profile), types_(std::move(types)) {
  for (const TaskType& type : types_) tasks_ += type.tasks;
  whole_ = std::max<std::int64_t>(1, tasks_ / kWholeNodes);
  tasks_ += whole_;
  std::ranges::transform(kCurve, least_.begin(), [&](std::int64_t step) { return least_sum(step, tasks_); });
}

bool Fragmentation::wants_whole() const {
  const auto takes_devices = [](const TaskType& type) { return type.need.devices > 0; };
  return profile_ == kNone && std::ranges::any_of(types_, takes_devices);
}

std::int64_t Fragmentation::score(const NodeRoom& size, const NodeRoom& free, const NodeRoom& left,
                                  std::int64_t pressure_milli) const {
  const auto beside_whole = [&](const NodeRoom& room) { return room.devices == size.devices ? 0 : room.gpus(); };
  std::int64_t removed = whole_ * (beside_whole(free) - beside_whole(left));
  if (pressure_milli > 0) removed -= tasks_ * ((free.gpus() - left.gpus()) * pressure_milli / kMilli);
  for (const TaskType& type : types_) removed += type.tasks * (fragments(free, type.need) - fragments(left, type.need));
  return 100 - (std::ranges::upper_bound(least_, removed) - least_.begin());
}

}  // namespace ym::engine
