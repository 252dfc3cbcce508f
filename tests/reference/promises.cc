#include "reference/promises.h"

#include "model/flavor_mix.h"
#include "reference/parts.h"
#include "reference/slices.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace ym::reference {
namespace {

constexpr std::int64_t kMinute = 60'000;
constexpr Duration kStart = minutes(1), kFoundOut = minutes(2);

Instant turn_after(Instant time) { return {(time.ms / kMinute + 1) * kMinute}; }

// From the minute at which it gets its place.
std::optional<Duration> length_of(const Job& job) {
  if (!job.spec->time_limit) return std::nullopt;
  return Duration{turn_not_before(Instant{} + kStart + *job.spec->time_limit + job.spec->stop.grace).ms};
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
    const Instant end = begun + *job.spec->time_limit + job.spec->stop.grace, overdue = end + kFoundOut;
    if (end <= now_ && overdue > now_) doubted_ = std::min(doubted_.value_or(overdue), overdue);
  }
  occupants_.push_back({.job = job.id,
                        .queue = attempt ? attempt->queue : job.queue,
                        .flavor = flavor,
                        .admitted = attempt ? attempt->admitted_at : now_,
                        .spec = job.spec,
                        .placement = placement,
                        .gone = gone_if_begun(job, begun)});
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

// Without interruption.
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

// Nodes that have had room for the shortest time first.
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

bool Promises::is_before(const Job& job, const std::string& flavor) const {
  const auto parts = split_flavors(flavor);
  return std::ranges::any_of(all_, [&](const Promise& one) {
    const Job& holder = t_.jobs.at(one.job);
    const bool is_elder = std::tuple(holder.submitted_at, holder.id) < std::tuple(job.submitted_at, job.id);
    const auto its = split_flavors(one.flavor);
    const bool overlaps = std::ranges::find_first_of(its, parts) != its.end();
    return one.job == job.id || (one.queue == job.queue && is_elder && overlaps);
  });
}

void Promises::promise(const Job& job, const std::vector<std::string>& flavors, const Keepers& keepers,
                       const NaiveQuota& quota) {
  const auto held = std::ranges::count(all_, job.queue, &Promise::queue);
  if (held >= t_.queues.at(job.queue).reservations) return;
  std::optional<Promise> best;
  for (const auto& flavor : flavors) {
    const auto from = quota_from(job, flavor, keepers, quota);
    auto found = from ? earliest(job, flavor, from->from, keepers.nodes()) : std::nullopt;
    if (found) found->inherits = from->inherits;
    if (found && (!best || found->from < best->from)) best = std::move(found);
  }
  if (best && best->from > now_) all_.push_back(std::move(*best));
}

}  // namespace ym::reference
