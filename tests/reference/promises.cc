#include "reference/promises.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace ym::reference {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr Duration kStart = minutes(1), kFoundOut = minutes(2);

Instant turn_after(Instant time) { return {(time.ms / kMinute + 1) * kMinute}; }
Instant turn_not_before(Instant time) { return {(time.ms + kMinute - 1) / kMinute * kMinute}; }

// From the turn of the clock at which it gets its place.
std::optional<Duration> length_of(const Job& job) {
  if (!job.spec->time_limit) return std::nullopt;
  return Duration{turn_not_before(Instant{} + kStart + *job.spec->time_limit + job.spec->stop.grace).ms};
}

bool covers(const ResourceVector& left, const ResourceVector& task) {
  return std::ranges::all_of(std::array{ResourceKind::gpus, ResourceKind::cpus, ResourceKind::memory},
                             [&](ResourceKind kind) { return task[kind] == 0 || left[kind] >= task[kind]; });
}

}  // namespace

std::optional<Instant> Promises::gone_if_begun(const Job& job, Instant begun) const {
  if (!job.spec->time_limit) return std::nullopt;
  const Instant gone = begun + *job.spec->time_limit + job.spec->stop.grace;
  if (gone > now_) return gone;
  if (gone + kFoundOut > now_) return now_ + Duration{1};
  return std::nullopt;
}

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
                        .task = job.spec->resources.vector(),
                        .placement = placement,
                        .gone = gone_if_begun(job, begun)});
}

ResourceVector Promises::free_at(const Node& node, Instant time) const {
  std::set<std::string> devices;
  for (const auto& device : node.devices)
    if (device.healthy) devices.insert(device.id);
  ResourceVector free;
  free[ResourceKind::cpus] = node.cpus;
  free[ResourceKind::memory] = node.memory_bytes;
  for (const Occupant& one : occupants_) {
    if (one.gone && turn_not_before(*one.gone) <= time) continue;
    for (const auto& placed : one.placement) {
      if (placed.node != node.name) continue;
      for (const auto& device : placed.devices) devices.erase(device);
      free[ResourceKind::cpus] -= one.task[ResourceKind::cpus];
      free[ResourceKind::memory] -= one.task[ResourceKind::memory];
    }
  }
  free[ResourceKind::gpus] = static_cast<std::int64_t>(devices.size()) * kMilli;
  return free;
}

ResourceVector Promises::left_at(const Node& node, Instant time, const std::vector<Promise>& promises) const {
  ResourceVector left = free_at(node, time);
  for (const Promise& one : promises)
    if (one.nodes.contains(node.name) && one.from <= time && (!one.until || time < *one.until)) left -= one.task;
  return left;
}

// It is least where somebody else's time begins.
bool Promises::has_room_from(const Job& job, const Node& node, Instant from, std::optional<Duration> length) const {
  const auto room_at = [&](Instant time) { return covers(left_at(node, time, all_), job.spec->resources.vector()); };
  const auto until = length ? std::optional(from + *length) : std::nullopt;
  if (set_aside_.closing(job, node, from, until)) return false;
  return room_at(from) && std::ranges::all_of(all_, [&](const Promise& one) {
           return one.from <= from || (length && one.from >= from + *length) || room_at(one.from);
         });
}

const AdvanceReservation* Promises::closing(const Job& job, const Node& node) const {
  return set_aside_.closing(job, node, now_, gone_if_begun(job, now_ + kStart));
}

std::optional<std::string> Promises::closed_flavor(const Job& job, const std::set<std::string>& flavors) const {
  for (const auto* row : set_aside_.all())
    for (const auto& name : row->nodes) {
      const auto node = t_.nodes.find(name);
      if (node == t_.nodes.end() || !machines_.in_service(node->second)) continue;
      if (closing(job, node->second) != row || !machines_.has_room(job, node->second)) continue;
      for (const auto& flavor : flavors)
        if (machines_.rules_allow(job, node->second, flavor)) return flavor;
    }
  return std::nullopt;
}

bool Promises::in_the_way(const Job& job, const Node& node) const {
  if (closing(job, node)) return true;
  const auto gone = gone_if_begun(job, now_ + kStart);
  std::vector<Promise> minded;
  std::ranges::copy_if(all_, std::back_inserter(minded), [&](const Promise& one) { return !gone || *gone > one.from; });
  return std::ranges::any_of(minded, [&](const Promise& one) {
    return one.nodes.contains(node.name) && !covers(left_at(node, one.from, minded), job.spec->resources.vector());
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

std::map<std::vector<std::string>, std::vector<const Node*>> Promises::nodes_from(
    const Job& job, const std::string& flavor, Instant from, const std::set<std::string>& kept) const {
  std::map<std::vector<std::string>, std::vector<const Node*>> groups;
  for (const auto& [name, node] : t_.nodes)
    if (!kept.contains(name) && machines_.rules_allow(job, node, flavor) && machines_.can_serve(job, node) &&
        has_room_from(job, node, from, length_of(job)))
      if (const auto group = machines_.group(job, node)) groups[*group].push_back(&node);
  return groups;
}

// Without a break.
Instant Promises::room_since(const Job& job, const Node& node, Instant time, Instant not_before) const {
  Instant since = time;
  for (const Instant turn : turns()) {
    if (turn > time) break;
    const bool has_room = turn >= not_before && !set_aside_.closing(job, node, turn, turn + Duration{1}) &&
                          covers(left_at(node, turn, all_), job.spec->resources.vector());
    if (!has_room) since = time;
    else since = std::min(since, turn);
  }
  return since;
}

std::optional<Promise> Promises::earliest(const Job& job, const std::string& flavor, Instant not_before,
                                          const std::set<std::string>& kept) const {
  for (const Instant from : turns()) {
    if (from < not_before) continue;
    for (auto& [group, nodes] : nodes_from(job, flavor, from, kept)) {
      if (nodes.size() < static_cast<std::size_t>(job.spec->nodes)) continue;
      std::ranges::sort(nodes, {}, [&](const Node* node) {
        const ResourceVector left = left_at(*node, from, all_);
        return std::tuple(Instant{} - room_since(job, *node, from, not_before), left[ResourceKind::gpus], node->name);
      });
      nodes.resize(static_cast<std::size_t>(job.spec->nodes));
      Promise promise{.job = job.id, .queue = job.queue, .cluster = group.front(), .flavor = flavor};
      promise.task = job.spec->resources.vector();
      for (const Node* node : nodes) promise.nodes.insert(node->name);
      promise.from = from;
      if (const auto length = length_of(job)) promise.until = from + *length;
      return promise;
    }
  }
  return std::nullopt;
}

std::optional<Instant> Promises::quota_from(const Job& job, const std::string& flavor, const Keepers& keepers,
                                            const NaiveQuota& quota) {
  Use more = quota_promised(job, quota, Stay::for_ever);
  if (!keepers.quota_in_the_way(job, flavor, more)) return now_;
  if (first_short_.try_emplace(job.queue, job.id).first->second != job.id) return std::nullopt;
  for (const auto& passer : passers(job, flavor, quota)) {
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      more[{passer.queue, flavor, resource_kind(kind)}] -= passer.total.amounts[kind];
    if (!keepers.quota_in_the_way(job, flavor, more)) return passer.gone;
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

Use Promises::quota_promised(const Job& job, const NaiveQuota& quota, Stay stay) const {
  const auto gone = stay == Stay::for_ever ? std::nullopt : gone_if_begun(job, now_ + kStart);
  Use all;
  bool minded = false;
  for (const Promise& one : all_) {
    const ResourceVector total = one.task * static_cast<std::int64_t>(one.nodes.size());
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      all[{one.queue, one.flavor, resource_kind(kind)}] += total.amounts[kind];
    const bool asks = !quota.asked(one.queue, one.flavor, total).empty();
    minded = minded || (asks && quota.root(one.queue) == quota.root(job.queue) && (!gone || *gone > one.from));
  }
  return minded ? all : Use{};
}

std::vector<Promises::Passer> Promises::passers(const Job& job, const std::string& flavor,
                                                const NaiveQuota& quota) const {
  std::vector<Passer> found;
  for (const Occupant& one : occupants_) {
    const bool same_tree = quota.sound(one.queue) && quota.root(one.queue) == quota.root(job.queue);
    if (!same_tree || one.flavor != flavor || !one.gone || one.admitted < job.submitted_at) continue;
    found.push_back({.gone = turn_not_before(*one.gone),
                     .job = one.job,
                     .queue = one.queue,
                     .total = one.task * static_cast<std::int64_t>(one.placement.size())});
  }
  std::ranges::sort(found, {}, [](const Passer& one) { return std::tuple(one.gone, one.job); });
  return found;
}

JobId Promises::first(const Job& job, const std::string& flavor, const NaiveQuota& quota) const {
  const auto has_room = [&](const std::string& name) {
    const Node& node = t_.nodes.at(name);
    return machines_.rules_allow(job, node, flavor) && machines_.has_room(job, node);
  };
  const Promise *machines = nullptr, *shared = nullptr;
  for (const Promise& one : all_) {
    if (one.flavor != flavor) continue;
    const ResourceVector total = one.task * static_cast<std::int64_t>(one.nodes.size());
    const bool same_tree =
        !quota.asked(one.queue, one.flavor, total).empty() && quota.root(one.queue) == quota.root(job.queue);
    if (std::ranges::any_of(one.nodes, has_room) && (!machines || one.from < machines->from)) machines = &one;
    if (same_tree && (!shared || one.from < shared->from)) shared = &one;
  }
  const Promise* named = machines ? machines : shared;
  return named ? named->job : JobId{};
}

}  // namespace ym::reference
