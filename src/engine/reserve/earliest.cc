// The earliest time at which a gang finds room. Each node has spans of time in which a task could begin there. The
// first minute in the spans of enough nodes is the answer.
#include <algorithm>

#include "engine/reserve/pool_times.h"

namespace ym::engine {

IntervalIterator Reservations::walk(std::span<const Calendar::Step> steps, NodeIndex node, ProfileIndex profile) const {
  IntervalIterator::Node at{.node = node, .steps = steps, .turns = {}, .needs = free_intervals_.needs()};
  if (is_booked(node)) at.turns = turns_[node];
  return {calendar_, at, profile};
}

Free Reservations::free_at(std::span<const Calendar::Step> steps, NodeIndex node, Minute minute,
                           ProfileIndex profile) const {
  return walk(steps, node, profile).at(minute);
}

bool Reservations::is_closed(NodeIndex node, Minute minute, Pass pass) const {
  return std::ranges::any_of(windows_.on_node(node), [&](WindowIndex window) {
    const AdvanceReservation& row = *windows_.all()[window];
    return calendar_.minute_before(row.from) <= minute && minute < calendar_.minute_of(row.until) &&
           !windows_.lets_in(window, pass);
  });
}

// The first minute after this one at which an advance reservation begins or ends; kNoMinute: none.
Minute Reservations::window_turn(NodeIndex node, Minute minute) const {
  Minute next = kNoMinute;
  for (const WindowIndex window : windows_.on_node(node)) {
    const AdvanceReservation& row = *windows_.all()[window];
    for (const Minute turn : {calendar_.minute_before(row.from), calendar_.minute_of(row.until)})
      if (turn > minute) next = std::min(next, turn);
  }
  return next;
}

void Reservations::renew(FreeTimes& free_times, const NodeNeed& task) const {
  const FreeTimes::Moment moment{
      .touches = state_.touch_log, .minute = calendar_.running_minute(), .now = calendar_.now()};
  const bool free_steps = !free_times.free_steps().empty();
  free_times.renew(moment, [&](NodeIndex node) -> FreeTimes::Seen {
    return {.first = calendar_.first_room(calendar_.steps(node), node, task),
            .holds_until = calendar_.holds_until(node),
            .free_steps = free_steps ? calendar_.free_steps(node) : FreeSteps()};
  });
}

// Between two changes on the node, free capacity is the same as at the first of them.
FreeIntervals::Seen Reservations::look_at(const FreeTimes::Node& room, const NodeNeed& task) const {
  FreeIntervals::Seen seen{.free_intervals = {}, .holds_until = calendar_.holds_until(room.node)};
  IntervalIterator through = walk(calendar_.steps(room.node), room.node, task.profile);
  bool had_room = false;
  for (Minute turn = room.first; turn != kNoMinute; turn = through.next()) {
    const bool has_room = through.has_room(turn, task);
    if (has_room && !had_room) seen.free_intervals.push_back({.begin = turn});
    if (!has_room && had_room) seen.free_intervals.back().end = turn;
    had_room = has_room;
  }
  return seen;
}

void Reservations::spans_of(const FreeTimes::Node& at, const Wish& wish, std::vector<Span>& spans) const {
  const NodeIndex node = at.node;
  const NodeNeed& task = wish.need.task;
  const bool windows = !windows_.on_node(node).empty();
  const bool yields = wish.yielding.has(node);
  if (is_booked(node) && !windows && !yields) {
    for (const FreeInterval& stretch : free_intervals(booked_nodes_[booked_[node]], at, free_intervals_.of(task)))
      add_span(node, stretch, wish, spans);
    return;
  }
  const auto steps = calendar_.steps(node, wish.yielding);
  const Minute room = yields ? calendar_.first_room(steps, node, task) : at.first;
  if (room == kNoMinute) return;
  if (!is_set_aside(node)) return add_span(node, {.begin = room}, wish, spans);
  IntervalIterator through = walk(steps, node, task.profile);
  Minute begin = kNoMinute;
  const auto close = [&](Minute end) {
    if (begin != kNoMinute) add_span(node, {.begin = begin, .end = end}, wish, spans);
    begin = kNoMinute;
  };
  for (Minute turn = room; turn != kNoMinute; turn = std::min(through.next(), window_turn(node, turn))) {
    const bool has_room = through.has_room(turn, task) && !(windows && is_closed(node, turn, wish.pass));
    if (has_room && begin == kNoMinute) begin = turn;
    if (!has_room) close(turn);
  }
  close(kNoMinute);
}

// Counts spans by the minutes at which they begin and end.
struct Reservations::Sweep {
  std::vector<std::int32_t>& change;
  Minute last = -1;  // no wait is longer than until the last span begins
  std::size_t begins = 0;

  // Precondition: within the horizon.
  void begin(Minute minute) {
    change[static_cast<std::size_t>(minute)] += 1;
    last = std::max(last, minute);
    begins += 1;
  }
  void end(Minute minute) {
    if (minute <= kHorizon) change[static_cast<std::size_t>(minute)] -= 1;
  }
  void clear(const std::vector<Span>& spans) {
    std::fill_n(change.begin(), last + 1, 0);
    for (const Span& span : spans)
      if (span.end <= kHorizon) change[static_cast<std::size_t>(span.end)] = 0;
  }
  // The first minute that lies in this number of spans; kNoMinute: none.
  Minute first_with(std::size_t wanted) {
    std::int64_t inside = 0;
    for (Minute minute = 0; begins >= wanted && minute <= last; ++minute) {
      inside += change[static_cast<std::size_t>(minute)];
      if (std::cmp_greater_equal(inside, wanted)) return minute;
    }
    return kNoMinute;
  }
};

Reservations::PoolTimes Reservations::times_of(std::span<const FreeTimes::Node> pool, const Wish& wish,
                                               const Keepers& barred) const {
  PoolTimes times{.pool = pool, .firsts = std::vector<Minute>(pool.size(), kNoMinute), .spans = {}};
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const FreeTimes::Node& one = pool[i];
    if (barred[one.node] != kNone) continue;
    if (is_special(one.node, wish)) {
      times.firsts[i] = PoolTimes::kSpecial;
      spans_of(one, wish, times.spans);
    } else if (one.first != kNoMinute) {
      times.firsts[i] = std::max(one.first, wish.not_before);
    }
  }
  return times;
}

std::optional<Reservations::Start> Reservations::earliest_in(std::span<const FreeTimes::Node> pool, const Wish& wish,
                                                             const Keepers& barred) const {
  const PoolTimes times = times_of(pool, wish, barred);
  change_.resize(kHorizon + 1);
  Sweep sweep{change_};
  for (const Minute first : times.firsts)
    if (first != PoolTimes::kSpecial && first != kNoMinute) sweep.begin(first);
  for (const Span& span : times.spans) {
    sweep.begin(span.first);
    sweep.end(span.end);
  }
  const Minute minute = sweep.first_with(wish.need.nodes);
  sweep.clear(times.spans);
  if (minute == kNoMinute) return std::nullopt;
  if (wish.need.levels.slice != kNone) return earliest_slices(times, wish, minute);
  return times.start_at(minute);
}

// Enough nodes may not make enough slices, and their number grows only where a span begins.
std::optional<Reservations::Start> Reservations::earliest_slices(const PoolTimes& times, const Wish& wish,
                                                                 Minute from) const {
  std::vector<Minute> begins = times.begins();
  begins.push_back(from);
  std::ranges::sort(begins);
  begins.erase(std::ranges::unique(begins).begin(), begins.end());
  std::erase_if(begins, [&](Minute minute) { return minute < from; });
  for (const Minute minute : begins)
    if (Start start = times.start_at(minute); has_slices(wish, start)) return start;
  return std::nullopt;
}

std::optional<Booking> Reservations::earliest(const Wish& wish, const Keepers& barred, FreeTimes& free_times) const {
  if (wish.slot == kNone || !wish.yielding.jobs.empty()) return look_for(wish, barred, free_times);
  const SearchMemo::Basis basis{.promised = memo_.promised(),
                                .touches = state_.touch_log.end(),
                                .flavors = wish.flavors,
                                .length = wish.length,
                                .not_before = wish.not_before,
                                .pass = wish.pass};
  if (const auto* known = memo_.find(wish.slot, basis)) return *known;
  auto found = look_for(wish, barred, free_times);
  memo_.note(wish.slot, basis, found);
  return found;
}

std::optional<Booking> Reservations::look_for(const Wish& wish, const Keepers& barred, FreeTimes& free_times) const {
  renew(free_times, wish.need.task);
  const bool slices = wish.need.levels.slice != kNone;
  const auto pools = state_.inventory.pools(wish.flavors.only(), wish.need.levels);
  std::optional<Start> in_slices;
  std::optional<Begin> best;
  Minute minute = kNoMinute;
  ClusterIndex cluster = kNone;
  for (const PoolIndex pool : pools.indices()) {
    const FreeTimes::Range range = free_times.of_pool(pool);
    if (range.size() < wish.need.nodes) continue;
    const auto keep = [&](auto found, auto& earliest) {
      if (!found || found->minute >= minute) return;
      minute = found->minute;
      cluster = pools[pool].cluster;
      earliest = std::move(found);
    };
    if (slices) keep(earliest_in(free_times.nodes_of(range), wish, barred), in_slices);
    else keep(earliest_in(free_times, range, wish, barred), best);
  }
  if (minute == kNoMinute) return std::nullopt;
  Booking found = booking(wish, minute, cluster);
  found.nodes = slices ? latest_slices(wish, *in_slices) : latest(free_times, wish, barred, *best);
  return found;
}

Booking Reservations::booking(const Wish& wish, Minute from, ClusterIndex cluster) const {
  return {.flavors = wish.flavors,
          .cluster = cluster,
          .need = wish.need,
          .from = from,
          .until = wish.length >= kNoMinute - from ? kNoMinute : from + wish.length};
}

}  // namespace ym::engine
