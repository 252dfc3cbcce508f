// Chooses the nodes of a reservation among the nodes that are free at its time.
#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "base/assert.h"
#include "engine/reserve/pool_times.h"
#include "engine/state/nodes/slices.h"

namespace ym::engine {

bool Reservations::has_slices(const Wish& wish, const Start& start) const {
  std::vector<NodeIndex> nodes;
  for (const Start::Node& one : start.nodes) nodes.push_back(one.node);
  return usable(state_.inventory.topology, wish.need.levels, nodes) >= wish.need.nodes;
}

// The node's free devices at that time, of the kind that the task wants.
std::int64_t Reservations::devices_free(const Wish& wish, Minute minute, NodeIndex node) const {
  return free_at(calendar_.steps(node, wish.yielding), node, minute, wish.need.task.profile).devices;
}

// The order in which `latest` takes nodes.
std::vector<NodeIndex> Reservations::in_order_of_choice(const Wish& wish, const Start& start) const {
  std::vector<std::tuple<Minute, std::int64_t, std::string_view, NodeIndex>> order;
  for (const Start::Node& one : start.nodes) {
    const auto steps = calendar_.steps(one.node, wish.yielding);
    const Free free = free_at(steps, one.node, start.minute, wish.need.task.profile);
    order.emplace_back(-one.first, free.devices, state_.inventory.node_names[one.node], one.node);
  }
  std::ranges::sort(order);
  std::vector<NodeIndex> nodes;
  for (const auto& [first, devices, name, node] : order) nodes.push_back(node);
  return nodes;
}

// The same in whole slices.
std::vector<NodeIndex> Reservations::latest_slices(const Wish& wish, const Start& start) const {
  const Inventory& inventory = state_.inventory;
  std::vector<NodeIndex> chosen;
  for (const auto& slice : first_slices(inventory.topology, wish.need.levels, in_order_of_choice(wish, start),
                                        wish.need.nodes, std::identity{}))
    chosen.insert(chosen.end(), slice.begin(), slice.end());
  std::ranges::sort(chosen, {}, [&](NodeIndex node) -> const std::string& { return inventory.node_names[node]; });
  return chosen;
}

// Nodes that have had room for the same time.
struct Reservations::Alike {
  Minute since = 0;
  FreeTimes::OrderIndex begin, end;
  bool of_several_minutes = false;          // all before the job's quota is available: then not sorted by place
  std::span<const Begin::Special> special;  // by place
  std::size_t most() const { return end - begin + special.size(); }
};

namespace {

// The nodes with the fewest free devices, of equals the first by place.
class Fullest {
 public:
  Fullest(std::int64_t task_devices, std::size_t wanted) : task_devices_(task_devices), wanted_(wanted) {
    best_.reserve(wanted);
  }

  void add(FreeTimes::Place place, std::int64_t devices) {
    if (const Candidate one{.devices = devices, .place = place}; one < worst_) keep(one);
  }
  // Whether no node at that place or later changes the result: the task fills all chosen nodes, and no node with room
  // has fewer devices free. Never true for a task without devices: reservations may count devices that are not free
  // yet.
  bool is_certain_from(FreeTimes::Place place) const {
    return worst_.devices == task_devices_ && task_devices_ > 0 && worst_.place < place;
  }
  void move_to(std::vector<FreeTimes::Place>& chosen) const {
    for (const Candidate& one : best_) chosen.push_back(one.place);
  }

 private:
  struct Candidate {
    std::int64_t devices = 0;
    FreeTimes::Place place{};
    auto operator<=>(const Candidate&) const = default;
  };

  void keep(const Candidate& one) {
    if (best_.size() == wanted_) {
      std::ranges::pop_heap(best_);
      best_.pop_back();
    }
    best_.push_back(one);
    std::ranges::push_heap(best_);
    if (best_.size() == wanted_) worst_ = best_.front();
  }

  std::int64_t task_devices_;
  std::size_t wanted_;
  Candidate worst_{.devices = std::numeric_limits<std::int64_t>::max()};  // of the best, once there are enough
  std::vector<Candidate> best_;                                           // a heap, the worst first
};

}  // namespace

// The next group: before position `at` in the order of times, and from `special` on.
Reservations::Alike Reservations::next_alike(const FreeTimes& free_times, const Wish& wish, const Begin& begin,
                                             FreeTimes::OrderIndex at, std::size_t special) const {
  const FreeTimes::OrderIndex pool_begin = begin.pool.order_begin();
  const auto first_at = [&](FreeTimes::OrderIndex one) { return free_times.nodes()[free_times.by_first()[one]].first; };
  constexpr Minute kNobody = -1;
  const Minute plain = at == pool_begin ? kNobody : std::max(first_at(at - 1), wish.not_before);
  const Minute other = special == begin.special.size() ? kNobody : begin.special[special].since;
  Alike alike{.since = std::max(plain, other), .begin = at, .end = at, .special = {}};
  YM_ASSERT(alike.since != kNobody);
  if (plain == alike.since) {
    alike.of_several_minutes = alike.since == wish.not_before;
    if (alike.of_several_minutes) alike.begin = pool_begin;
    while (alike.begin > pool_begin && first_at(alike.begin - 1) == alike.since) alike.begin = alike.begin - 1;
  }
  std::size_t end = special;
  while (end < begin.special.size() && begin.special[end].since == alike.since) ++end;
  alike.special = std::span(begin.special).subspan(special, end - special);
  return alike;
}

// Adds as many of the group as are still wanted.
void Reservations::add_fullest(const FreeTimes& free_times, const Wish& wish, const Keepers& barred, const Begin& begin,
                               const Alike& alike, std::vector<FreeTimes::Place>& chosen) const {
  const NodeNeed& task = wish.need.task;
  Fullest fullest(task.devices, wish.need.nodes - chosen.size());
  const bool all = alike.most() <= wish.need.nodes - chosen.size();
  const auto devices_on = [&](NodeIndex node) {
    const bool is_filled = std::popcount(state_.inventory.of_profile(node, task.profile)) == task.devices;
    return all || is_filled ? task.devices : devices_free(wish, begin.minute, node);
  };
  for (const Begin::Special& one : alike.special)
    fullest.add(one.place, devices_on(free_times.nodes()[one.place].node));
  const IndexedSpan<FreeTimes::Place, FreeTimes::Node> nodes = free_times.nodes();
  const IndexedSpan<FreeTimes::Place, FreeSteps> free_steps = free_times.free_steps();
  const auto add_plain = [&](FreeTimes::Place place) {
    const NodeIndex node = nodes[place].node;
    if (barred[node] != kNone || is_special(node, wish)) return;
    if (free_steps.empty()) fullest.add(place, devices_on(node));
    else fullest.add(place, free_steps[place].at(begin.minute));
  };
  if (alike.of_several_minutes) {
    for (const FreeTimes::Place place : begin.pool.places()) {
      if (nodes[place].first > alike.since) continue;
      if (fullest.is_certain_from(place)) break;
      add_plain(place);
    }
  } else {
    for (const FreeTimes::OrderIndex at : IndexRange(alike.begin, alike.end)) {
      const FreeTimes::Place place = free_times.by_first()[at];
      if (fullest.is_certain_from(place)) break;
      add_plain(place);
    }
  }
  fullest.move_to(chosen);
}

// Of the nodes with room at that time, the ones that have had it for the shortest time: earlier room stays for other
// jobs.
std::vector<NodeIndex> Reservations::latest(const FreeTimes& free_times, const Wish& wish, const Keepers& barred,
                                            const Begin& begin) const {
  const auto& by_first = free_times.by_first();
  const auto first = by_first.begin() + std::ptrdiff_t{begin.pool.order_begin().value};
  const auto last = by_first.begin() + std::ptrdiff_t{begin.pool.order_end().value};
  const auto later = std::ranges::upper_bound(first, last, begin.minute, {},
                                              [&](FreeTimes::Place place) { return free_times.nodes()[place].first; });
  FreeTimes::OrderIndex at(later - by_first.begin());
  std::size_t special = 0;
  std::vector<FreeTimes::Place> chosen;
  while (chosen.size() < wish.need.nodes) {
    const Alike alike = next_alike(free_times, wish, begin, at, special);
    add_fullest(free_times, wish, barred, begin, alike, chosen);
    at = alike.begin;
    special += alike.special.size();
  }
  std::ranges::sort(chosen);
  std::vector<NodeIndex> nodes;
  for (const FreeTimes::Place place : chosen) nodes.push_back(free_times.nodes()[place].node);
  return nodes;
}

}  // namespace ym::engine
