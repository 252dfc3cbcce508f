#include "engine/reserve/calendar.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ym::engine {

bool Yielding::find(NodeIndex node) const { return std::ranges::binary_search(nodes, node); }

Calendar::Calendar(const State::Impl& state, const Policy& policy, Instant now)
    : state_(state),
      start_allowance_(policy.start_allowance),
      overdue_margin_(policy.hold_margin),
      now_(now),
      epoch_(now.ms / kMinute) {}

Minute Calendar::minute_of(Instant time) const {
  if (time <= now_) return 0;
  const std::int64_t minutes = rounded_up(time.ms) - epoch_;
  return minutes > kHorizon ? kNoMinute : static_cast<Minute>(minutes);
}

Minute Calendar::minute_before(Instant time) const {
  if (time <= now_) return 0;
  const std::int64_t minutes = time.ms / kMinute - epoch_;
  return minutes > kHorizon ? kNoMinute : static_cast<Minute>(minutes);
}

Minute Calendar::minutes_in(Duration time) {
  const std::int64_t minutes = rounded_up(time.ms);
  return minutes > kHorizon ? kNoMinute : static_cast<Minute>(minutes);
}

// A job that has not started yet may start at any time.
Instant Calendar::begun(const Ending& ending) const {
  if (ending.started_at) return *ending.started_at;
  return std::max(now_, after(ending.admitted_at.value_or(now_), start_allowance_));
}

Instant Calendar::end_of(const Ending& ending) const {
  const Instant limit = ending.limit ? after(after(begun(ending), *ending.limit), ending.grace) : kNever;
  if (!ending.leaving) return limit;
  return std::min(limit, ending.stop_by.value_or(after(now_, ending.grace)));
}

Instant Calendar::gone_by(const Ending& ending) const {
  const Instant gone = end_of(ending);
  if (gone > now_) return gone;
  return after(gone, overdue_margin_) > now_ ? now_ + Duration{1} : kNever;
}

std::optional<Instant> Calendar::overdue_from(const Ending& ending) const {
  const Instant gone = end_of(ending), overdue = after(gone, overdue_margin_);
  if (gone > now_ || overdue <= now_) return std::nullopt;
  return overdue;
}

// The next time at which gone_by would return another end.
Instant Calendar::holds_until(const Ending& ending) const {
  const Instant gone = end_of(ending);
  if (gone == kNever) return kNever;
  const Instant at_once = now_ + Duration{1};
  if (gone > now_) {
    if (ending.leaving && !ending.stop_by) return at_once;
    const Instant nears{(rounded_up(gone.ms) - kHorizon) * kMinute};
    const Instant turns = nears > now_ ? std::min(gone, nears) : gone;
    if (ending.started_at) return turns;
    // Until the start of the job is overdue.
    const Instant overdue = ending.admitted_at ? after(*ending.admitted_at, start_allowance_) : now_;
    return overdue > now_ ? std::min(turns, overdue) : at_once;
  }
  const Instant overdue = after(gone, overdue_margin_);
  return overdue > now_ ? std::min(overdue, Instant{(epoch_ + 1) * kMinute}) : kNever;
}

Instant Calendar::holds_until(NodeIndex node) const {
  (void)steps(node);
  auto& known = known_[node].holds_until;
  if (known) return *known;
  Instant until = kNever;
  for (const TaskAllocation& occupied : state_.allocations.on_node(node))
    until = std::min(until, holds_until(state_.allocations.allocation(occupied.job).ending));
  return *(known = until);
}

// Valid until the next question.
std::vector<Calendar::Departing>& Calendar::departing(NodeIndex node) const {
  std::vector<Departing>& there = departing_;
  there.clear();
  for (const TaskAllocation& occupied : state_.allocations.on_node(node)) {
    const Ending& ending = state_.allocations.allocation(occupied.job).ending;
    const Minute at = minute_of(gone_by(ending));
    // The end of a job that should have left long ago is not relied on.
    there.push_back({.at = at, .occupied = occupied, .leaving = ending.leaving && at != kNoMinute});
  }
  return there;
}

// Devices of jobs that stay, and of nominated placements.
struct Calendar::Devices {
  std::uint64_t whole = 0, shared = 0;  // bits
  std::array<Part, kMaxDevicesPerNode> used{}, leaving{};

  void add(const Departing& one) {
    const TaskAllocation& occupied = one.occupied;
    if (occupied.part.milli == 0) {
      whole |= occupied.bits;
      return;
    }
    if (occupied.bits == 0) return;
    const DeviceIndex device = first_device(occupied.bits);
    shared |= occupied.bits;
    used[device.value] += occupied.part;
    if (one.leaving) leaving[device.value] += occupied.part;
  }
};

SharedParts Calendar::shared_parts(NodeIndex node, Devices& devices) const {
  const Inventory& inventory = state_.inventory;
  const Taken& held = inventory.held;
  for (const DeviceIndex device : held.parts[node].indices())
    if (held.parts[node][device].milli > 0) devices.shared |= device_bit(device);
  SharedParts parts;
  const std::uint64_t usable = inventory.healthy[node] & inventory.of_profile(node, kNone) & ~devices.whole;
  for (std::uint64_t left = devices.shared & usable; left != 0; left &= left - 1) {
    const DeviceIndex device = first_device(left);
    const Part kept = held.part(node, device), used = devices.used[device.value],
               soon_free = devices.leaving[device.value];
    Part free = inventory.all_of(node, device);
    free -= {.milli = Inventory::taken(used.milli, soon_free.milli, kept.milli, When::now),
             .memory = Inventory::taken(used.memory, soon_free.memory, kept.memory, When::now)};
    parts.add(free);
  }
  return parts;
}

void Calendar::add_steps(NodeIndex node, std::vector<Departing>& there, std::vector<Step>& steps) const {
  const Inventory& inventory = state_.inventory;
  std::int64_t cpus = 0, memory = 0, leaving_cpus = 0, leaving_memory = 0;
  const auto count = [&](const Departing& one, std::int64_t sign) {
    cpus += sign * one.occupied.cpus;
    memory += sign * one.occupied.memory;
    leaving_cpus += one.leaving ? sign * one.occupied.cpus : 0;
    leaving_memory += one.leaving ? sign * one.occupied.memory : 0;
  };
  for (const Departing& one : there) count(one, 1);
  std::ranges::sort(there, std::ranges::greater{}, &Departing::at);
  for (Minute from = 0; from != kNoMinute; from = there.empty() ? kNoMinute : there.back().at) {
    for (; !there.empty() && there.back().at <= from; there.pop_back()) count(there.back(), -1);
    const std::int64_t taken_cpus = Inventory::taken(cpus, leaving_cpus, inventory.held.cpus[node], When::now);
    const std::int64_t taken_memory = Inventory::taken(memory, leaving_memory, inventory.held.memory[node], When::now);
    Step step{.from = from, .cpus = inventory.cpus[node] - taken_cpus, .memory = inventory.memory[node] - taken_memory};
    std::uint64_t bits = inventory.held.devices[node];
    for (const Departing& one : there) bits |= one.occupied.bits;
    if (inventory.is_shared(node)) {
      Devices devices{.whole = inventory.held.devices[node]};
      for (const Departing& one : there) devices.add(one);
      step.shared = shared_parts(node, devices);
      bits |= devices.shared;
    }
    step.devices = inventory.healthy[node] & ~bits;
    steps.push_back(std::move(step));
  }
}

void Calendar::look_at(NodeIndex node) const {
  if (!known_.has(node)) known_.resize(state_.inventory.rows.size());
  Known& known = known_[node];
  known = {.begin = steps_.size(), .size = 0, .touched = touched(node)};
  add_steps(node, departing(node), steps_);
  known.size = static_cast<std::uint32_t>(steps_.size() - known.begin);
}

FreeSteps Calendar::free_steps(NodeIndex node) const {
  const std::uint64_t whole = state_.inventory.of_profile(node, kNone);
  FreeSteps free_steps;
  std::size_t number = 0;
  for (const Step& step : steps(node))
    for (const auto free = static_cast<std::size_t>(std::popcount(step.devices & whole)); number < free; ++number)
      free_steps.from[number] = step.from;
  return free_steps;
}

std::span<const Calendar::Step> Calendar::steps_without(NodeIndex node, const Yielding& yielding) const {
  if (!yielding.has(node)) return steps(node);
  std::vector<Departing>& there = departing(node);
  for (Departing& one : there) {
    const auto yields = std::ranges::lower_bound(yielding.jobs, one.occupied.job, {}, &Yielding::Job::slot);
    if (yields != yielding.jobs.end() && yields->slot == one.occupied.job)
      one.at = std::min(one.at, minute_of(yields->gone));
  }
  varied_.clear();
  add_steps(node, there, varied_);
  return varied_;
}

Free Calendar::at(std::span<const Step> steps, NodeIndex node, Minute minute, ProfileIndex profile) const {
  return of_step(*std::prev(std::ranges::upper_bound(steps, minute, {}, &Step::from)), node, profile);
}

Free Calendar::of_step(const Step& step, NodeIndex node, ProfileIndex profile) const {
  const std::int64_t devices = std::popcount(step.devices & state_.inventory.of_profile(node, profile));
  return {.devices = devices,
          .cpus = step.cpus,
          .memory = step.memory,
          .profile = profile,
          .unshared = devices,
          .whole = {.milli = kMilli, .memory = state_.inventory.least_gpu_memory[node]},
          .shared = &step.shared};
}

Minute Calendar::first_room(std::span<const Step> steps, NodeIndex node, const NodeNeed& need) const {
  for (const Step& step : steps)
    if (of_step(step, node, need.profile).covers(need)) return step.from;
  return kNoMinute;
}

}  // namespace ym::engine
