// The earliest time at which a gang finds room: each node gives the spans of time in which a task could
// begin there, and the first minute that lies in the spans of enough nodes is the answer.
#include <algorithm>
#include <bit>
#include <tuple>

#include "engine/reserve/reservations.h"

namespace ym::engine {

// A task can begin on the node at any minute of [first, end).
struct Reservations::Span {
  Minute first = 0, end = 0;
  Minute since = 0;  // it has room
  Index node = kNone;
};

struct Reservations::Start {
  struct Node {
    Minute first = 0;  // since when it has room
    Index node = kNone;
  };
  Minute minute = 0;
  std::vector<Node> nodes;  // all that have room then, by name
};

Free Reservations::free_at(std::span<const Calendar::Step> steps, Index node, Minute minute, Index profile) const {
  Free free = calendar_.at(steps, node, minute, profile);
  if (here_.empty()) return free;
  for (const Index one : here_[node])
    if (bookings_[one].from <= minute && minute < bookings_[one].until) free -= bookings_[one].need;
  return free;
}

bool Reservations::is_closed(Index node, Minute minute, Pass pass) const {
  return std::ranges::any_of(windows_.on_node(node), [&](Index window) {
    const AdvanceReservation& row = *windows_.all()[window];
    return calendar_.minute_before(row.from) <= minute && minute < calendar_.minute_of(row.until) &&
           !windows_.lets_in(window, pass);
  });
}

// The minutes from `room` on at which something of the node begins or ends.
std::vector<Minute> Reservations::turns_of(std::span<const Calendar::Step> steps, Index node, Minute room) const {
  std::vector<Minute> turns{room};
  const auto add = [&](Minute turn) {
    if (turn > room && turn != kNoMinute) turns.push_back(turn);
  };
  if (is_booked(node))
    for (const Index one : here_[node]) {
      add(bookings_[one].from);
      add(bookings_[one].until);
    }
  for (const Index window : windows_.on_node(node)) {
    add(calendar_.minute_before(windows_.all()[window]->from));
    add(calendar_.minute_of(windows_.all()[window]->until));
  }
  for (const auto& step : steps) add(step.from);
  std::ranges::sort(turns);
  return turns;
}

void Reservations::renew(Rooms& rooms, const Wish& wish) const {
  if (rooms.touches == calendar_.touches()) return;
  const Inventory& inventory = state_.inventory;
  if (!rooms.touches) {
    const auto pools = inventory.pools(wish.flavor, wish.need.levels);
    for (Index pool = 0; pool < pools.size(); ++pool)
      for (const Index node : pools[pool].nodes)
        if (inventory.matches(wish.need.rule, node) && inventory.can_serve(node, wish.need.task))
          rooms.nodes.push_back({.node = node, .pool = pool, .touched = calendar_.touched(node) + 1});
  }
  rooms.touches = calendar_.touches();
  for (Rooms::Node& one : rooms.nodes) {
    if (one.touched == calendar_.touched(one.node)) continue;
    one.touched = calendar_.touched(one.node);
    one.first = calendar_.first_room(calendar_.steps(one.node), one.node, wish.need.task);
  }
}

// Between the times at which something of the node begins or ends, it is as free as at the first of them.
void Reservations::spans_of(const Rooms::Node& at, const Wish& wish, std::vector<Span>& spans) const {
  const Index node = at.node;
  const NodeNeed& task = wish.need.task;
  const bool yields = std::ranges::binary_search(wish.yielding.nodes, node);
  const auto steps = calendar_.steps(node, wish.yielding);
  Minute room = yields ? calendar_.first_room(steps, node, wish.need.task) : at.first;
  if (room == kNoMinute) return;
  room = std::max(room, wish.not_before);
  if (!is_set_aside(node)) return spans.push_back({.first = room, .end = kNoMinute, .since = room, .node = node});
  // A stretch in which there is always room, and as much of it as lets the job end before its end.
  Minute begin = kNoMinute;
  const auto close = [&](Minute end) {
    const Minute last_end = end == kNoMinute ? kNoMinute : std::max(begin, end - wish.length + 1);
    // What ends some day is reckoned in whole minutes, and the one that is running is none any more.
    const Minute first = end != kNoMinute && begin == 0 && !calendar_.is_turn() ? 1 : begin;
    if (begin <= kHorizon && first < last_end)
      spans.push_back({.first = first, .end = last_end, .since = begin, .node = node});
    begin = kNoMinute;
  };
  for (const Minute turn : turns_of(steps, node, room)) {
    const bool has_room = !is_closed(node, turn, wish.pass) && free_at(steps, node, turn, task.profile).covers(task);
    if (has_room && begin == kNoMinute) begin = turn;
    if (!has_room) close(turn);
  }
  close(kNoMinute);
}

// Counts spans by the minutes at which they begin and end.
struct Reservations::Sweep {
  std::vector<std::int32_t>& change;
  Minute last = -1;  // nobody has to wait longer than for the last span to begin
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
  // The first minute that lies in so many spans; kNoMinute: none.
  Minute first_with(std::size_t wanted) {
    std::int64_t inside = 0;
    for (Minute minute = 0; begins >= wanted && minute <= last; ++minute) {
      inside += change[static_cast<std::size_t>(minute)];
      if (std::cmp_greater_equal(inside, wanted)) return minute;
    }
    return kNoMinute;
  }
};

std::optional<Reservations::Start> Reservations::earliest_in(std::span<const Rooms::Node> pool, const Wish& wish,
                                                             const std::vector<Index>& barred) const {
  change_.resize(kHorizon + 1);
  Sweep sweep{change_};
  std::vector<Span> spans;
  // By node of the pool: since when a task could begin there; a special one has spans instead.
  constexpr Minute kSpecial = -1;
  std::vector<Minute> firsts(pool.size(), kNoMinute);
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const Rooms::Node& one = pool[i];
    if (barred[one.node] != kNone) continue;
    const bool yields = !wish.yielding.nodes.empty() && std::ranges::binary_search(wish.yielding.nodes, one.node);
    if (yields || is_set_aside(one.node)) {
      firsts[i] = kSpecial;
      spans_of(one, wish, spans);
    } else if (one.first != kNoMinute) {
      firsts[i] = std::max(one.first, wish.not_before);
      sweep.begin(firsts[i]);
    }
  }
  for (const Span& span : spans) {
    sweep.begin(span.first);
    sweep.end(span.end);
  }
  Start start{.minute = sweep.first_with(wish.need.nodes), .nodes = {}};
  start.nodes.reserve(pool.size());
  sweep.clear(spans);
  if (start.minute == kNoMinute) return std::nullopt;
  auto span = spans.begin();
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (firsts[i] > start.minute) continue;
    if (firsts[i] != kSpecial) start.nodes.push_back({.first = firsts[i], .node = pool[i].node});
    for (; firsts[i] == kSpecial && span != spans.end() && span->node == pool[i].node; ++span)
      if (span->first <= start.minute && start.minute < span->end)
        start.nodes.push_back({.first = span->since, .node = pool[i].node});
  }
  return start;
}

// Those of `nodes` with the fewest devices free at the time, the first by name of these.
std::vector<Index> Reservations::fullest(const Wish& wish, Minute minute, const std::vector<Index>& nodes,
                                         std::size_t wanted) const {
  // Those of whom a task takes all devices are alike.
  const Inventory& inventory = state_.inventory;
  const bool all_alike =
      wish.need.task.devices > 0 && std::ranges::all_of(nodes, [&](Index node) {
        return std::popcount(inventory.of_profile(node, wish.need.task.profile)) == wish.need.task.devices;
      });
  if (nodes.size() == wanted || all_alike) return {nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(wanted)};
  // Devices free, and the place among those that are by name.
  std::vector<std::pair<std::int32_t, std::uint32_t>> candidates;
  candidates.reserve(nodes.size());
  for (std::uint32_t place = 0; place < nodes.size(); ++place) {
    const Free free =
        free_at(calendar_.steps(nodes[place], wish.yielding), nodes[place], minute, wish.need.task.profile);
    candidates.emplace_back(static_cast<std::int32_t>(free.devices), place);
  }
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(wanted));
  candidates.resize(wanted);
  std::vector<Index> chosen;
  for (const auto& [devices, place] : candidates) chosen.push_back(nodes[place]);
  return chosen;
}

// What is free before is left to others.
std::vector<Index> Reservations::latest(const Wish& wish, const Start& start) const {
  std::vector<Minute> firsts;
  for (const Start::Node& one : start.nodes) firsts.push_back(one.first);
  const auto last = firsts.begin() + static_cast<std::ptrdiff_t>(wish.need.nodes) - 1;
  std::ranges::nth_element(firsts, last, std::ranges::greater{});
  std::vector<Index> chosen, alike;
  for (const Start::Node& one : start.nodes)
    if (one.first >= *last) (one.first > *last ? chosen : alike).push_back(one.node);
  const auto more = fullest(wish, start.minute, alike, wish.need.nodes - chosen.size());
  chosen.insert(chosen.end(), more.begin(), more.end());
  std::ranges::sort(chosen, {}, [&](Index node) -> const std::string& { return state_.inventory.node_names[node]; });
  return chosen;
}

std::optional<Booking> Reservations::earliest(const Wish& wish, const std::vector<Index>& barred, Rooms& rooms) const {
  renew(rooms, wish);
  const auto pools = state_.inventory.pools(wish.flavor, wish.need.levels);
  std::optional<Start> best;
  Index cluster = kNone;
  for (Index pool = 0; pool < pools.size(); ++pool) {
    const auto nodes = std::ranges::equal_range(rooms.nodes, pool, {}, &Rooms::Node::pool);
    if (nodes.size() < wish.need.nodes) continue;
    auto start = earliest_in(nodes, wish, barred);
    if (!start || (best && best->minute <= start->minute)) continue;
    best = std::move(start);
    cluster = pools[pool].cluster;
  }
  if (!best) return std::nullopt;
  const Minute until = wish.length >= kNoMinute - best->minute ? kNoMinute : best->minute + wish.length;
  return Booking{.flavor = wish.flavor,
                 .cluster = cluster,
                 .need = wish.need.task,
                 .nodes = latest(wish, *best),
                 .from = best->minute,
                 .until = until};
}

}  // namespace ym::engine
