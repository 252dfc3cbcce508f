// Which devices of a node are free for a task.
#include <algorithm>
#include <bit>

#include "engine/state/nodes/inventory.h"

namespace ym::engine {

Task Inventory::task_of(const TaskResources& resources) {
  Task task;
  task.amounts = resources.vector().amounts;
  if (resources.shares_gpu()) task.part = {.milli = resources.gpus, .memory = resources.gpu_memory_bytes};
  else task.devices = resources.devices();
  if (!resources.profile.empty()) task.profile = profile_names.intern(resources.profile);
  return task;
}

std::uint64_t Inventory::device_bits(NodeIndex n, const std::vector<std::string>& ids) const {
  std::uint64_t bits = 0;
  if (!rows[n]) return bits;
  for (const DeviceIndex i : indices<DeviceIndex>(rows[n]->devices.size()))
    if (std::ranges::find(ids, rows[n]->devices[i.value].id) != ids.end()) bits |= device_bit(i);
  return bits;
}

std::uint64_t Inventory::slices_of(NodeIndex n, ProfileIndex profile) const {
  std::uint64_t bits = 0;
  for (const DeviceIndex i : indices<DeviceIndex>(rows[n]->devices.size()))
    if (rows[n]->devices[i.value].profile == profile_names[profile]) bits |= device_bit(i);
  return bits;
}

std::uint64_t Inventory::devices_left(NodeIndex n, When when) const {
  const std::uint64_t left = healthy[n] & ~taken_whole(n, when);
  return is_shared(n) ? left & ~shared_devices(n, when) : left;
}

void Inventory::renew_free(NodeIndex n) {
  for (const When when : {When::now, When::later}) {
    FreeArrays& free = free_[of(when)];
    free.devices[n] = devices_left(n, when);
    free.cpus[n] = cpus_left(n, when);
    free.memory[n] = memory_left(n, when);
  }
}

bool Inventory::free_is_current(NodeIndex n) const {
  return std::ranges::all_of(std::array{When::now, When::later}, [&](When when) {
    return free_devices(n, when) == devices_left(n, when) && free_cpus(n, when) == cpus_left(n, when) &&
           free_memory(n, when) == memory_left(n, when);
  });
}

void Inventory::add(Taken& taken, NodeIndex n, const NodeNeed& need, std::uint64_t bits) {
  taken.add(n, need, bits);
  if (need.shares()) {
    shared_[n] = 1;
    plain_[n] = 0;
  }
  renew_free(n);
}

void Inventory::remove(Taken& taken, NodeIndex n, const NodeNeed& need, std::uint64_t bits) {
  taken.remove(n, need, bits);
  renew_free(n);
}

void Inventory::clear_devices(NodeIndex n) {
  for (auto* taken : {&used, &leaving, &held}) taken->clear_devices(n);
  renew_free(n);
}

void Inventory::add_devices(Taken& taken, NodeIndex n, const NodeNeed& need, std::uint64_t bits) {
  taken.add_devices(n, need, bits);
  renew_free(n);
}

Part Inventory::taken_part(NodeIndex n, DeviceIndex device, When when) const {
  const Part now = used.part(n, device), soon_free = leaving.part(n, device), kept = held.part(n, device);
  return {.milli = taken(now.milli, soon_free.milli, kept.milli, when),
          .memory = taken(now.memory, soon_free.memory, kept.memory, when)};
}

std::uint64_t Inventory::shared_devices(NodeIndex n, When when) const {
  std::uint64_t bits = 0;
  for (const DeviceIndex i : indices<DeviceIndex>(std::max(used.parts[n].size(), held.parts[n].size())))
    if (taken_part(n, i, when).milli > 0) bits |= device_bit(i);
  return bits;
}

Part Inventory::all_of(NodeIndex n, DeviceIndex device) const {
  if (!rows[n] || device.value >= rows[n]->devices.size()) return {};
  const std::int64_t size = rows[n]->devices[device.value].memory_bytes;
  return {.milli = kMilli, .memory = size == 0 ? Part::kUnknownMemory : size};
}

Part Inventory::free_part(NodeIndex n, DeviceIndex device, When when) const {
  if ((device_bit(device) & healthy[n] & ~slices[n] & ~taken_whole(n, when)) == 0) return {};
  Part free = all_of(n, device);
  free -= taken_part(n, device, when);
  return free;
}

std::int64_t Inventory::free_milli(NodeIndex n, When when) const {
  std::int64_t milli = std::popcount(free_devices(n, when) & ~slices[n]) * kMilli;
  if (!is_shared(n)) return milli;
  for (std::uint64_t shared = shared_devices(n, when); shared != 0; shared &= shared - 1)
    milli += free_part(n, first_device(shared), when).milli;
  return milli;
}

std::int64_t Inventory::free_gpus(NodeIndex n, const Task& task, When when) const {
  if (task.profile == kNone) return free_milli(n, when);
  const std::int64_t each = task[ResourceKind::gpus] / task.devices;
  return std::popcount(free_devices(n, NodeNeed::of(task), when)) * each;
}

Part Inventory::largest_part(NodeIndex n, When when) const {
  Part most;
  for (const DeviceIndex i : indices<DeviceIndex>(rows[n] ? rows[n]->devices.size() : 0)) {
    const Part free = free_part(n, i, when);
    most = {.milli = std::max(most.milli, free.milli), .memory = std::max(most.memory, free.memory)};
  }
  return most;
}

bool Inventory::are_free(NodeIndex n, const NodeNeed& need, std::uint64_t bits, When when) const {
  if (!need.shares()) return (bits & ~free_devices(n, need, when)) == 0;
  return bits != 0 && free_part(n, first_device(bits), when).covers(need.part);
}

std::int64_t Inventory::milli_of(NodeIndex n, std::uint64_t bits) const {
  std::int64_t milli = std::popcount(bits & ~slices[n]) * kMilli;
  for (std::uint64_t left = bits & slices[n]; left != 0; left &= left - 1)
    milli += rows[n]->devices[first_device(left).value].milli();
  return milli;
}

ResourceVector Inventory::size_of(NodeIndex n, std::uint64_t bits) const {
  ResourceVector size;
  size[ResourceKind::gpus] = milli_of(n, bits);
  size[ResourceKind::cpus] = cpus[n];
  size[ResourceKind::memory] = memory[n];
  return size;
}

// Devices that the task could have if they were free and healthy.
std::uint64_t Inventory::devices_for(NodeIndex n, const NodeNeed& need) const {
  std::uint64_t bits = of_profile(n, need.profile);
  if (need.part.memory == 0) return bits;
  for (const DeviceIndex i : indices<DeviceIndex>(rows[n]->devices.size()))
    if (const std::int64_t size = rows[n]->devices[i.value].memory_bytes; size != 0 && size < need.part.memory)
      bits &= ~device_bit(i);
  return bits;
}

bool Inventory::large_enough(NodeIndex n, const NodeNeed& need) const {
  return std::popcount(devices_for(n, need)) >= need.ids() && cpus[n] >= need.cpus && memory[n] >= need.memory;
}

bool Inventory::can_serve(NodeIndex n, const NodeNeed& need) const {
  return in_service(n) && std::popcount(devices_for(n, need) & healthy[n]) >= need.ids() && cpus[n] >= need.cpus &&
         memory[n] >= need.memory;
}

bool Inventory::has_part(NodeIndex n, const Part& part, When when) const {
  for (const DeviceIndex i : indices<DeviceIndex>(rows[n] ? rows[n]->devices.size() : 0))
    if (free_part(n, i, when).covers(part)) return true;
  return false;
}

}  // namespace ym::engine
