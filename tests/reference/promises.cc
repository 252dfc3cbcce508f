#include "reference/promises.h"
#include "reference/parts.h"
#include "reference/slices.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace ym::reference {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr Duration kStart = minutes(1), kFoundOut = minutes(2);

Instant turn_after(Instant time) { return {(time.ms / kMinute + 1) * kMinute}; }

// From the turn of the clock at which it gets its place.
std::optional<Duration> length_of(const Job& job) {
  if (!job.spec->time_limit) return std::nullopt;
  return Duration{turn_not_before(Instant{} + kStart + *job.spec->time_limit + job.spec->stop.grace).ms};
}

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
    // Not on more than each has: somebody else might get the one that has it.
    return has_part(left.whole, task) &&
           ((left.unshared > 0 && has(left.whole)) || std::ranges::any_of(left.shared, has));
  }
  return task.gpus == 0 || left.devices >= task.devices();
}

// Which device somebody shares is not known before he does: so he is taken to need one for himself, if others want any.
bool surely_covers(const FreeThen& left, const TaskResources& task, bool others_want_gpus) {
  const bool is_no_matter = task.gpus == 0 || (task.shares_gpu() && !others_want_gpus);
  return covers_the_rest(left, task) && (is_no_matter || left.devices >= task.devices());
}

}  // namespace

Instant turn_not_before(Instant time) { return {(time.ms + kMinute - 1) / kMinute * kMinute}; }

std::optional<Instant> Promises::gone_if_begun(const Job& job, Instant begun) const {
  if (!job.spec->time_limit) return std::nullopt;
  const Instant gone = begun + *job.spec->time_limit + job.spec->stop.grace;
  if (gone > now_) return gone;
  if (gone + kFoundOut > now_) return now_ + Duration{1};
  return std::nullopt;
}

std::optional<Instant> Promises::gone_if_started(const Job& job) const { return gone_if_begun(job, now_ + kStart); }

void Promises::occupy(const Job& job, const std::string& flavor, const std::vector<TaskPlacement>& placement,
                      const Attempt* attempt) {
  Instant begun = std::max(now_, (attempt ? attempt->admitted_at : now_) + kStart);
  if (attempt && attempt->started_at) begun = *attempt->started_at;
  if (job.spec->time_limit) {
    const Instant end = begun + *job.spec->time_limit + job.spec->stop.grace, doubted = end + kFoundOut;
    if (end <= now_ && doubted > now_) doubted_ = std::min(doubted_.value_or(doubted), doubted);
  }
  occupants_.push_back({.job = job.id,
                        .queue = attempt ? attempt->queue : job.queue,
                        .flavor = flavor,
                        .admitted = attempt ? attempt->admitted_at : now_,
                        .spec = job.spec,
                        .placement = placement,
                        .gone = gone_if_begun(job, begun)});
}

FreeThen Promises::free_at(const Node& node, Instant time, const std::string& profile) const {
  Devices devices;
  FreeThen free{.cpus = node.cpus, .memory = node.memory_bytes};
  for (const Occupant& one : occupants_) {
    if (one.gone && turn_not_before(*one.gone) <= time) continue;
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
  // Slices are not shared, but whoever asks for them does not look at this.
  free.shared = devices.idle({}, node).parts;
  return free;
}

FreeThen Promises::left_at(const Node& node, Instant time, const std::vector<Promise>& promises,
                           const std::string& profile) const {
  FreeThen left = free_at(node, time, profile);
  for (const Promise& one : promises) {
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

// Who ends takes nothing away: where there was room there still is, until somebody else's time begins. What is counted
// on of devices that are shared does not say so by itself: of one that is nobody's any more that is as much as the
// smallest of the node has.
bool Promises::has_room_at(const Job& job, const Node& node, Instant time) const {
  const TaskResources& task = job.spec->resources;
  Instant begun = now_;
  std::set<Instant> turns{time};
  for (const Promise& one : all_) {
    if (!one.nodes.contains(node.name)) continue;
    if (one.from <= time) begun = std::max(begun, one.from);
    if (one.until) turns.insert(*one.until);
  }
  turns.insert(begun);
  for (const Occupant& one : occupants_)
    if (one.gone) turns.insert(turn_not_before(*one.gone));
  return std::ranges::any_of(turns, [&](Instant turn) {
    return begun <= turn && turn <= time && covers(left_at(node, turn, all_, task.profile), task);
  });
}

// It is least where somebody else's time begins.
bool Promises::has_room_from(const Job& job, const Node& node, Instant from, std::optional<Duration> length) const {
  const auto until = length ? std::optional(from + *length) : std::nullopt;
  if (set_aside_.closing(job, node, from, until)) return false;
  return has_room_at(job, node, from) && std::ranges::all_of(all_, [&](const Promise& one) {
           return one.from <= from || (length && one.from >= from + *length) || has_room_at(job, node, one.from);
         });
}

bool Promises::in_the_way(const Job& job, const Node& node) const {
  if (closing(job, node)) return true;
  const auto gone = gone_if_started(job);
  std::vector<Promise> minded;
  std::ranges::copy_if(all_, std::back_inserter(minded), [&](const Promise& one) { return !gone || *gone > one.from; });
  return std::ranges::any_of(minded, [&](const Promise& one) {
    const TaskResources& task = job.spec->resources;
    const bool others_want_gpus = std::ranges::any_of(minded, [&](const Promise& other) {
      const bool then = other.from <= one.from && (!other.until || one.from < *other.until);
      return then && other.nodes.contains(node.name) && other.nodes.at(node.name).gpus > 0 &&
             other.nodes.at(node.name).profile.empty();
    });
    return one.nodes.contains(node.name) &&
           !surely_covers(left_at(node, one.from, minded, task.profile), task, others_want_gpus);
  });
}

std::vector<Instant> Promises::turns() const {
  Instant last = now_;
  for (const Occupant& one : occupants_) last = std::max(last, one.gone.value_or(now_));
  for (const Promise& one : all_) last = std::max({last, one.from, one.until.value_or(now_)});
  for (const auto* row : set_aside_.all()) last = std::max({last, row->from, row->until});
  std::vector<Instant> turns{now_};
  while (turns.back() < last) turns.push_back(turn_after(turns.back()));
  return turns;
}

std::map<std::vector<std::string>, std::vector<const Node*>> Promises::nodes_from(const Job& job,
                                                                                  const std::string& flavor,
                                                                                  const Machines::Test& test) const {
  std::map<std::vector<std::string>, std::vector<const Node*>> groups;
  for (const auto& [name, node] : t_.nodes)
    if (machines_.suits_a_part(job, flavor, node, test))
      if (const auto group = machines_.group(job, node)) groups[*group].push_back(&node);
  return groups;
}

// Without a break.
Instant Promises::room_since(const Job& job, const Node& node, Instant time, Instant not_before) const {
  Instant since = time;
  for (const Instant turn : turns()) {
    if (turn > time) break;
    const bool has_room =
        turn >= not_before && !set_aside_.closing(job, node, turn, turn + Duration{1}) && has_room_at(job, node, turn);
    if (!has_room) since = time;
    else since = std::min(since, turn);
  }
  return since;
}

// Those that have had room for the shortest time first.
std::vector<const Node*> Promises::latest(const Job& job, std::vector<const Node*> nodes, Instant from,
                                          Instant not_before) const {
  std::ranges::sort(nodes, {}, [&](const Node* node) {
    const FreeThen left = left_at(*node, from, all_, job.spec->resources.profile);
    return std::tuple(Instant{} - room_since(job, *node, from, not_before), left.devices, node->name);
  });
  return in_slices(machines_, job, nodes);
}

std::optional<Promise> Promises::earliest(const Job& job, const std::string& flavor, Instant not_before,
                                          const std::set<std::string>& kept) const {
  const auto parts = by_flavor(parts_of(job, flavor));
  for (const Instant from : turns()) {
    if (from < not_before) continue;
    const Machines::Test test = [&](const Job& part, const Node& node) {
      return !kept.contains(node.name) && machines_.can_serve(part, node) &&
             has_room_from(part, node, from, length_of(part));
    };
    for (auto& [group, nodes] : nodes_from(job, flavor, test)) {
      if (!machines_.is_enough(job, flavor, nodes, test)) continue;
      Promise promise{.job = job.id, .queue = job.queue, .cluster = group.front(), .flavor = flavor};
      auto seekers = machines_.seekers(job, flavor, nodes, test);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t part = 0; part < parts[i].size(); ++part)
          seekers[i][part].nodes = latest(parts[i][part].job, seekers[i][part].nodes, from, not_before);
        const auto chosen = choose_together(seekers[i]);
        for (std::size_t part = 0; part < parts[i].size(); ++part)
          for (const Node* node : chosen[part]) promise.nodes[node->name] = parts[i][part].job.spec->resources;
      }
      promise.from = from;
      if (const auto length = length_of(job)) promise.until = from + *length;
      return promise;
    }
  }
  return std::nullopt;
}

void Promises::promise(const Job& job, const std::vector<std::string>& flavors, const Keepers& keepers,
                       const NaiveQuota& quota) {
  const auto held = std::ranges::count(all_, job.queue, &Promise::queue);
  if (held >= t_.queues.at(job.queue).reservations) return;
  std::optional<Promise> best;
  for (const auto& flavor : flavors) {
    const auto from = quota_from(job, flavor, keepers, quota);
    auto found = from ? earliest(job, flavor, *from, keepers.nodes()) : std::nullopt;
    if (found && (!best || found->from < best->from)) best = std::move(found);
  }
  if (best && best->from > now_) all_.push_back(*best);
}

}  // namespace ym::reference
