#include "reference/devices.h"

namespace ym::reference {

bool suits(const Device& device, const TaskResources& task) {
  return device.profile == task.profile &&
         (!task.shares_gpu() || device.memory_bytes == 0 || device.memory_bytes >= task.gpu_memory_bytes);
}

bool has_part(const Devices::Part& left, const TaskResources& task) {
  return left.milli >= task.gpus && left.memory >= task.gpu_memory_bytes;
}

void Devices::take(const TaskResources& task, const std::vector<std::string>& ids) {
  for (const auto& id : ids) {
    taken_[id].milli += task.shares_gpu() ? task.gpus : kMilli;
    taken_[id].memory += task.gpu_memory_bytes;
  }
}

Devices::Part Devices::left_of(const Device& device) const {
  const auto found = taken_.find(device.id);
  const Part taken = found == taken_.end() ? Part{} : found->second;
  if (!device.healthy || taken.milli >= kMilli) return {};
  return {.milli = kMilli - taken.milli,
          .memory = (device.memory_bytes == 0 ? kEnough : device.memory_bytes) - taken.memory};
}

std::vector<std::string> Devices::free(const TaskResources& task, const Node& node) const {
  std::vector<std::string> found;
  for (const auto& device : node.devices) {
    if (device.profile != task.profile) continue;
    const Part left = left_of(device);
    if (task.shares_gpu() ? has_part(left, task) : left.milli == kMilli) found.push_back(device.id);
  }
  return found;
}

std::int64_t Devices::free_milli(const TaskResources& task, const Node& node) const {
  if (task.shares_gpu()) return idle({}, node).milli();
  const auto count = static_cast<std::int64_t>(free(task, node).size());
  return task.slices > 0 ? count * (task.gpus / task.slices) : count * kMilli;
}

std::int64_t Devices::Idle::milli() const {
  std::int64_t sum = whole * kMilli;
  for (const Part& part : parts) sum += part.milli;
  return sum;
}

Devices::Idle Devices::idle(const std::string& profile, const Node& node) const {
  Idle idle;
  for (const auto& device : node.devices) {
    if (device.profile != profile) continue;
    const Part left = left_of(device);
    if (left.milli == kMilli) idle.whole += 1;
    else idle.parts.push_back(left);
  }
  return idle;
}

}  // namespace ym::reference
