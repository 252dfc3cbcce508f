// What reservations leave free on nodes.
#include <algorithm>
#include <set>

#include "reference/reservations.h"

namespace ym::reference {
namespace {

bool covers_the_rest(const FreeThen& left, const TaskResources& task) {
  return (task.cpus == 0 || left.cpus >= task.cpus) && (task.memory_bytes == 0 || left.memory >= task.memory_bytes);
}

bool covers(const FreeThen& left, const TaskResources& task) {
  if (!covers_the_rest(left, task)) return false;
  if (task.shares_gpu()) {
    const auto has = [&](Devices::Part part) {
      part.milli -= left.booked.milli;
      part.memory -= left.booked.memory;
      return has_part(part, task);
    };
    // Not more than each device has: another job might get the larger device.
    return has_part(left.whole, task) &&
           ((left.unshared > 0 && has(left.whole)) || std::ranges::any_of(left.shared, has));
  }
  return task.gpus == 0 || left.devices >= task.devices();
}

// It is not known in advance which device a share will use. So it counts as a whole device if other jobs want devices.
bool surely_covers(const FreeThen& left, const TaskResources& task, bool others_want_gpus) {
  const bool is_no_matter = task.gpus == 0 || (task.shares_gpu() && !others_want_gpus);
  return covers_the_rest(left, task) && (is_no_matter || left.devices >= task.devices());
}

}  // namespace

FreeThen Reservations::free_at(const Node& node, Instant time, const std::string& profile) const {
  Devices devices;
  FreeThen free{.cpus = node.cpus, .memory = node.memory_bytes};
  for (const Occupant& one : occupants_) {
    if (one.gone && minute_not_before(*one.gone) <= time) continue;
    for (const auto& placed : one.placement) {
      if (placed.node != node.name) continue;
      const TaskResources& task = one.spec->resources_of(placed.task);
      devices.take(task, placed.devices);
      free.cpus -= task.cpus;
      free.memory -= task.memory_bytes;
    }
  }
  const Devices::Idle idle = devices.idle(profile, node);
  free.devices = free.unshared = idle.whole;
  free.whole = {.milli = kMilli, .memory = Devices::kEnough};
  for (const auto& device : node.devices)
    if (device.profile.empty() && device.memory_bytes > 0)
      free.whole.memory = std::min(free.whole.memory, device.memory_bytes);
  // Slices are not shared, and tasks that ask for slices do not use this.
  free.shared = devices.idle({}, node).parts;
  return free;
}

FreeThen Reservations::left_at(const Node& node, Instant time, const std::vector<Reservation>& reservations,
                               const std::string& profile) const {
  FreeThen left = free_at(node, time, profile);
  for (const Reservation& one : reservations) {
    if (!one.nodes.contains(node.name) || one.from > time || (one.until && time >= *one.until)) continue;
    const TaskResources& task = one.nodes.at(node.name);
    left.cpus -= task.cpus;
    left.memory -= task.memory_bytes;
    if (task.profile != profile) continue;
    left.devices -= task.devices();
    if (!task.shares_gpu()) {
      left.unshared -= task.devices();
      continue;
    }
    left.booked.milli += task.gpus;
    left.booked.memory += task.gpu_memory_bytes;
  }
  return left;
}

// When a job ends, no room disappears: a node that had room keeps it until the next reservation begins. The amounts for
// shared devices do not show that by themselves: a device without users counts only with the smallest device of the
// node.
bool Reservations::has_room_at(const Job& job, const Node& node, Instant time) const {
  const TaskResources& task = job.spec->resources;
  Instant begun = now_;
  std::set<Instant> instants{time};
  for (const Reservation& one : all_) {
    if (!one.nodes.contains(node.name)) continue;
    if (one.from <= time) begun = std::max(begun, one.from);
    if (one.until) instants.insert(*one.until);
  }
  instants.insert(begun);
  for (const Occupant& one : occupants_)
    if (one.gone) instants.insert(minute_not_before(*one.gone));
  return std::ranges::any_of(instants, [&](Instant minute) {
    return begun <= minute && minute <= time && covers(left_at(node, minute, all_, task.profile), task);
  });
}

// The room is smallest when another reservation begins.
bool Reservations::has_room_from(const Job& job, const Node& node, Instant from, std::optional<Duration> length) const {
  const auto until = length ? std::optional(from + *length) : std::nullopt;
  if (advance_.closing(job, node, from, until)) return false;
  return has_room_at(job, node, from) && std::ranges::all_of(all_, [&](const Reservation& one) {
           return one.from <= from || (length && one.from >= from + *length) || has_room_at(job, node, one.from);
         });
}

bool Reservations::in_the_way(const Job& job, const Node& node) const {
  if (closing(job, node)) return true;
  const auto gone = gone_if_started(job);
  std::vector<Reservation> minded;
  std::ranges::copy_if(all_, std::back_inserter(minded),
                       [&](const Reservation& one) { return !gone || *gone > one.from; });
  return std::ranges::any_of(minded, [&](const Reservation& one) {
    const TaskResources& task = job.spec->resources;
    const bool others_want_gpus = std::ranges::any_of(minded, [&](const Reservation& other) {
      const bool then = other.from <= one.from && (!other.until || one.from < *other.until);
      return then && other.nodes.contains(node.name) && other.nodes.at(node.name).gpus > 0 &&
             other.nodes.at(node.name).profile.empty();
    });
    return one.nodes.contains(node.name) &&
           !surely_covers(left_at(node, one.from, minded, task.profile), task, others_want_gpus);
  });
}

}  // namespace ym::reference
