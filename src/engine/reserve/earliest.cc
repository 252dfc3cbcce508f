// The earliest time at which a gang finds room: each node gives the spans of time in which a task could
// begin there, and the first minute that lies in the spans of enough nodes is the answer.
#include <algorithm>
#include <tuple>

#include "engine/reserve/reservations.h"

namespace ym::engine {

// A task can begin on the node at any minute of [first, end).
struct Reservations::Span {
  Minute first = 0, end = 0;
  Index node = kNone;
};

struct Reservations::Start {
  Minute minute = 0;
  std::vector<Index> nodes;  // all that have room then
};

Free Reservations::free_at(std::span<const Calendar::Step> steps, Index node, Minute minute) const {
  Free free = Calendar::at(steps, minute);
  if (here_.empty()) return free;
  for (const Index one : here_[node])
    if (bookings_[one].from <= minute && minute < bookings_[one].until) free -= bookings_[one].need;
  return free;
}

// Between the times at which something of the node begins or ends, it is as free as at the first of them.
void Reservations::spans_of(Index node, const Wish& wish, std::vector<Span>& spans) const {
  const auto steps = calendar_.steps(node, wish.yielding);
  Minute room = Calendar::first_room(steps, wish.need.task);
  if (room == kNoMinute) return;
  room = std::max(room, wish.not_before);
  if (here_.empty() || here_[node].empty()) return spans.push_back({.first = room, .end = kNoMinute, .node = node});
  std::vector<Minute> turns{room};
  for (const Index one : here_[node])
    for (const Minute turn : {bookings_[one].from, bookings_[one].until})
      if (turn > room && turn != kNoMinute) turns.push_back(turn);
  for (const auto& step : steps)
    if (step.from > room) turns.push_back(step.from);
  std::ranges::sort(turns);
  // A stretch in which there is always room, and as much of it as lets the job end before its end.
  Minute begin = kNoMinute;
  const auto close = [&](Minute end) {
    const Minute last_end = end == kNoMinute         ? kNoMinute
                            : wish.length >= kHorizon ? begin
                                                      : std::max(begin, end - wish.length + 1);
    if (begin != kNoMinute && begin < last_end) spans.push_back({.first = begin, .end = last_end, .node = node});
    begin = kNoMinute;
  };
  for (const Minute turn : turns) {
    const bool has_room = free_at(steps, node, turn).covers(wish.need.task);
    if (has_room && begin == kNoMinute) begin = turn;
    if (!has_room) close(turn);
  }
  close(kNoMinute);
}

std::optional<Reservations::Start> Reservations::earliest_in(const Pool& pool, const Wish& wish,
                                                             const std::vector<Index>& barred) const {
  const Inventory& inventory = state_.inventory;
  std::vector<Span> spans;
  for (const Index node : pool.nodes)
    if (barred[node] == kNone && inventory.matches(wish.need.rule, node) && inventory.can_serve(node, wish.need.task))
      spans_of(node, wish, spans);
  if (spans.size() < wish.need.nodes) return std::nullopt;
  // Nobody has to wait longer than for the last span to begin.
  const Minute last = std::ranges::max(spans, {}, &Span::first).first;
  std::vector<std::int32_t> change(static_cast<std::size_t>(last) + 2);
  for (const Span& span : spans) {
    change[static_cast<std::size_t>(span.first)] += 1;
    if (span.end <= last) change[static_cast<std::size_t>(span.end)] -= 1;
  }
  std::int64_t enough = 0;
  for (Minute minute = 0; minute <= last; ++minute) {
    enough += change[static_cast<std::size_t>(minute)];
    if (std::cmp_less(enough, wish.need.nodes)) continue;
    Start start{.minute = minute, .nodes = {}};
    for (const Span& span : spans)
      if (span.first <= minute && minute < span.end) start.nodes.push_back(span.node);
    return start;
  }
  return std::nullopt;
}

std::vector<Index> Reservations::fullest(const Wish& wish, const Start& start) const {
  struct Candidate {
    Free free;
    std::size_t place = 0;  // among those that are by name
    auto key() const { return std::tuple(free.devices, free.cpus, free.memory, place); }
  };
  std::vector<Candidate> candidates;
  for (std::size_t place = 0; place < start.nodes.size(); ++place) {
    const Index node = start.nodes[place];
    candidates.push_back(
        {.free = free_at(calendar_.steps(node, wish.yielding), node, start.minute), .place = place});
  }
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(wish.need.nodes) - 1, {},
                           &Candidate::key);
  candidates.resize(wish.need.nodes);
  std::ranges::sort(candidates, {}, &Candidate::place);
  std::vector<Index> nodes;
  for (const Candidate& one : candidates) nodes.push_back(start.nodes[one.place]);
  return nodes;
}

std::optional<Booking> Reservations::earliest(const Wish& wish, const std::vector<Index>& barred) const {
  std::optional<Start> best;
  Index cluster = kNone;
  for (const Pool& pool : state_.inventory.pools(wish.flavor)) {
    if (pool.nodes.size() < wish.need.nodes || !state_.inventory.cluster_available(pool.cluster)) continue;
    auto start = earliest_in(pool, wish, barred);
    if (!start || (best && best->minute <= start->minute)) continue;
    best = std::move(start);
    cluster = pool.cluster;
  }
  if (!best) return std::nullopt;
  const Minute until = wish.length >= kNoMinute - best->minute ? kNoMinute : best->minute + wish.length;
  return Booking{.flavor = wish.flavor,
                 .cluster = cluster,
                 .need = wish.need.task,
                 .nodes = fullest(wish, *best),
                 .from = best->minute,
                 .until = until};
}

}  // namespace ym::engine
