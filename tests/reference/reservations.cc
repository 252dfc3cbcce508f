#include "reference/reservations.h"

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

Instant minute_after(Instant time) { return {(time.ms / kMinute + 1) * kMinute}; }

// From the minute at which it gets its place.
std::optional<Duration> length_of(const Job& job) {
  if (!job.spec->time_limit) return std::nullopt;
  return Duration{minute_not_before(Instant{} + kStart + *job.spec->time_limit + job.spec->stop.grace).ms};
}

}  // namespace

Instant minute_not_before(Instant time) { return {(time.ms + kMinute - 1) / kMinute * kMinute}; }

std::optional<Instant> Reservations::gone_if_begun(const Job& job, Instant begun) const {
  if (!job.spec->time_limit) return std::nullopt;
  const Instant gone = begun + *job.spec->time_limit + job.spec->stop.grace;
  if (gone > now_) return gone;
  if (gone + kFoundOut > now_) return now_ + Duration{1};
  return std::nullopt;
}

std::optional<Instant> Reservations::gone_if_started(const Job& job) const { return gone_if_begun(job, now_ + kStart); }

void Reservations::occupy(const Job& job, const std::string& flavor, const std::vector<TaskPlacement>& placement,
                          const Attempt* attempt) {
  Instant begun = std::max(now_, (attempt ? attempt->admitted_at : now_) + kStart);
  if (attempt && attempt->started_at) begun = *attempt->started_at;
  if (job.spec->time_limit) {
    const Instant end = begun + *job.spec->time_limit + job.spec->stop.grace, overdue = end + kFoundOut;
    if (end <= now_ && overdue > now_) overdue_from_ = std::min(overdue_from_.value_or(overdue), overdue);
  }
  occupants_.push_back({.job = job.id,
                        .queue = attempt ? attempt->queue : job.queue,
                        .flavor = flavor,
                        .admitted = attempt ? attempt->admitted_at : now_,
                        .spec = job.spec,
                        .placement = placement,
                        .gone = gone_if_begun(job, begun)});
}

std::vector<Instant> Reservations::minutes_of_change() const {
  Instant last = now_;
  for (const Occupant& one : occupants_) last = std::max(last, one.gone.value_or(now_));
  for (const Reservation& one : all_) last = std::max({last, one.from, one.until.value_or(now_)});
  for (const auto* row : advance_.all()) last = std::max({last, row->from, row->until});
  std::vector<Instant> instants{now_};
  while (instants.back() < last) instants.push_back(minute_after(instants.back()));
  return instants;
}

std::map<std::vector<std::string>, std::vector<const Node*>> Reservations::nodes_from(
    const Job& job, const std::string& flavor, const Machines::Test& test) const {
  std::map<std::vector<std::string>, std::vector<const Node*>> groups;
  for (const auto& [name, node] : t_.nodes)
    if (machines_.suits_a_part(job, flavor, node, test))
      if (const auto group = machines_.group(job, node)) groups[*group].push_back(&node);
  return groups;
}

// Without interruption.
Instant Reservations::room_since(const Job& job, const Node& node, Instant time, Instant not_before) const {
  Instant since = time;
  for (const Instant minute : minutes_of_change()) {
    if (minute > time) break;
    const bool has_room = minute >= not_before && !advance_.closing(job, node, minute, minute + Duration{1}) &&
                          has_room_at(job, node, minute);
    if (!has_room) since = time;
    else since = std::min(since, minute);
  }
  return since;
}

// Nodes that have had room for the shortest time first.
std::vector<const Node*> Reservations::latest(const Job& job, std::vector<const Node*> nodes, Instant from,
                                              Instant not_before) const {
  std::ranges::sort(nodes, {}, [&](const Node* node) {
    const FreeThen left = left_at(*node, from, all_, job.spec->resources.profile);
    return std::tuple(Instant{} - room_since(job, *node, from, not_before), left.devices, node->name);
  });
  return in_slices(machines_, job, nodes);
}

std::optional<Reservation> Reservations::earliest(const Job& job, const std::string& flavor, Instant not_before,
                                                  const std::set<std::string>& kept) const {
  const auto parts = by_flavor(parts_of(job, flavor));
  for (const Instant from : minutes_of_change()) {
    if (from < not_before) continue;
    const Machines::Test test = [&](const Job& part, const Node& node) {
      return !kept.contains(node.name) && machines_.can_serve(part, node) &&
             has_room_from(part, node, from, length_of(part));
    };
    for (auto& [group, nodes] : nodes_from(job, flavor, test)) {
      if (!machines_.is_enough(job, flavor, nodes, test)) continue;
      Reservation reservation{.job = job.id, .queue = job.queue, .cluster = group.front(), .flavor = flavor};
      auto part_searches = machines_.part_searches(job, flavor, nodes, test);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t part = 0; part < parts[i].size(); ++part)
          part_searches[i][part].nodes = latest(parts[i][part].job, part_searches[i][part].nodes, from, not_before);
        const auto chosen = choose_together(part_searches[i]);
        for (std::size_t part = 0; part < parts[i].size(); ++part)
          for (const Node* node : chosen[part]) reservation.nodes[node->name] = parts[i][part].job.spec->resources;
      }
      reservation.from = from;
      if (const auto length = length_of(job)) reservation.until = from + *length;
      return reservation;
    }
  }
  return std::nullopt;
}

bool Reservations::is_before(const Job& job, const std::string& flavor) const {
  const auto parts = split_flavors(flavor);
  return std::ranges::any_of(all_, [&](const Reservation& one) {
    const Job& holder = t_.jobs.at(one.job);
    const bool is_elder = std::tuple(holder.submitted_at, holder.id) < std::tuple(job.submitted_at, job.id);
    const auto its = split_flavors(one.flavor);
    const bool overlaps = std::ranges::find_first_of(its, parts) != its.end();
    return one.job == job.id || (one.queue == job.queue && is_elder && overlaps);
  });
}

void Reservations::reserve(const Job& job, const std::vector<std::string>& flavors, const Keepers& keepers,
                           const NaiveQuota& quota) {
  const auto held = std::ranges::count(all_, job.queue, &Reservation::queue);
  if (held >= t_.queues.at(job.queue).reservations) return;
  std::optional<Reservation> best;
  for (const auto& flavor : flavors) {
    const auto from = quota_from(job, flavor, keepers, quota);
    auto found = from ? earliest(job, flavor, from->from, keepers.nodes()) : std::nullopt;
    if (found) found->inherits = from->inherits;
    if (found && (!best || found->from < best->from)) best = std::move(found);
  }
  if (best && best->from > now_) all_.push_back(std::move(*best));
}

}  // namespace ym::reference
