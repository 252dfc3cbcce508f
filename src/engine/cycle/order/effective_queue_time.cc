#include "engine/cycle/order/effective_queue_time.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/cycle/new_nodes/provision.h"
#include "engine/cycle/order/age.h"
#include "engine/cycle/place.h"

namespace ym::engine {
namespace {

// No job id has this bit.
constexpr std::uint64_t kBehindAll = std::uint64_t{1} << 63;

EffectiveQueueTime own_queue_time(const PendingEntry& entry) {
  return {.submitted_at = entry.submitted_at, .id = entry.id};
}

bool is_of_one_kind(const Shape& shape) { return shape.groups.empty() && shape.anchor == 0; }

bool is_served(const Inputs& in, const Shape& shape, const Option& option) {
  return option.within_max && (only_waits(in, shape, option) ||
                               (in.policy.provision_phase && could_be_provisioned(in, shape, option.flavors)));
}

// Whether jobs of the shape wait for machines and for nothing else.
bool lacks_machines_alone(const Inputs& in, const Tried& tried, Findings& known, ShapeIndex index) {
  const Shape& shape = in.state.shapes[index];
  if (!is_of_one_kind(shape) || !may_wait(in, known, index)) return false;
  return std::ranges::any_of(known.shape_caches[index].options, [&](const Option& option) {
    return is_served(in, shape, option) && !tried.quota_stops(in, shape, option.flavors, kFleeting);
  });
}

Duration shortest_age_cap(const Inputs& in, const PendingEntries& pending) {
  Duration shortest{std::numeric_limits<std::int64_t>::max()};
  for (const QueueIndex queue : indices<QueueIndex>(pending.lines.size())) {
    const auto line = std::span(pending.entries.raw())
                          .subspan(pending.lines[queue].value, pending.line_ends[queue] - pending.lines[queue]);
    if (std::ranges::all_of(line, &PendingEntry::placed)) continue;
    shortest = std::min(shortest, age_cap_of(in, queue));
  }
  return shortest;
}

}  // namespace

void mark_inheritable_ages(Cycle& cycle) {
  if (!cycle.in.state.orders.any()) return;
  IndexedVector<ShapeIndex, std::optional<bool>> known(cycle.known.shape_caches.size());
  const auto age_is_inheritable = [&](EntryIndex at) {
    const PendingEntry& entry = cycle.pending.entries[at];
    if (entry.status != EntryStatus::open) return false;
    auto& lends = known[entry.shape];
    if (!lends) lends = lacks_machines_alone(cycle.in, cycle.tried, cycle.known, entry.shape);
    return *lends && !is_barred(cycle, cycle.pending.rank_at[at]);
  };
  for (const QueueIndex queue : indices<QueueIndex>(cycle.pending.lines.size())) {
    if (!cycle.in.state.orders.has(queue)) continue;
    for (const EntryIndex at : IndexRange(cycle.pending.lines[queue], cycle.pending.line_ends[queue]))
      cycle.pending.entries[at].age_is_inheritable = age_is_inheritable(at);
  }
}

Instant most_age_lent(const Inputs& in, const PendingEntries& pending) {
  return in.state.orders.any() ? in.now - shortest_age_cap(in, pending) - Duration{1} : Instant{};
}

void wake_when_passed_no_more(Cycle& cycle) {
  if (!cycle.in.state.orders.any()) return;
  const auto considered = std::span(cycle.pending.order.raw()).first(cycle.pending.considered.value);
  if (std::ranges::none_of(considered, [&](EntryIndex at) { return cycle.pending.entries[at].age_is_inheritable; }))
    return;
  const Duration cap = shortest_age_cap(cycle.in, cycle.pending);
  for (const EntryIndex at : considered) {
    const PendingEntry& entry = cycle.pending.entries[at];
    const Instant until = after(after(entry.submitted_at, cap), {1});
    if (entry.status == EntryStatus::open && until > cycle.in.now && may_wait(cycle.in, cycle.known, entry.shape))
      cycle.out.wake_at(until);
  }
}

InheritableAges::Kind InheritableAges::kind_of(const Inputs& in, const PendingEntry& entry) {
  const Shape& shape = in.state.shapes[entry.shape];
  return {.urgency = entry.urgency, .rule = is_of_one_kind(shape) ? shape.rule : kNone};
}

void InheritableAges::form(const Inputs& in, const PendingEntries& pending, EntryIndex begin, EntryIndex end,
                           Instant most) {
  begin_ = begin;
  had_turn_.assign(end - begin, false);
  most_ = most;
  for (const EntryIndex at : IndexRange(begin, end))
    if (pending.entries[at].age_is_inheritable) rows_[kind_of(in, pending.entries[at])].entries.push_back(at);
  for (auto& [kind, row] : rows_)
    std::ranges::sort(row.entries, {}, [&](EntryIndex at) { return own_queue_time(pending.entries[at]); });
}

EffectiveQueueTime InheritableAges::with_inherited_age(const Inputs& in, const PendingEntries& pending,
                                                       const EffectiveQueueTime& own, const PendingEntry& entry) {
  const Kind kind = kind_of(in, entry);
  const auto row = kind.rule == kNone ? rows_.end() : rows_.find(kind);
  if (row == rows_.end()) return own;
  auto& [entries, next] = row->second;
  while (next < entries.size() && had_turn_[entries[next] - begin_]) ++next;
  if (next == entries.size()) return own;
  const EffectiveQueueTime most{.submitted_at = most_, .id = JobId{kBehindAll | own.id.value}};
  return std::min(own, std::max(own_queue_time(pending.entries[entries[next]]), most));
}

}  // namespace ym::engine
