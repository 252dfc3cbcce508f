#include "engine/state/timeline/free_times.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace ym::engine {

void FreeTimes::add(NodeIndex node, PoolIndex pool) {
  const Place place = nodes_.push_back({.node = node, .pool = pool, .holds_until = {}});
  by_first_.push_back(place);
  place_of_.grow_to(node);
  place_of_[node] = place;
}

FreeTimes::Range FreeTimes::of_pool(PoolIndex pool) const {
  const auto found = std::ranges::equal_range(nodes_, pool, {}, &Node::pool);
  return {.begin = Place(found.begin() - nodes_.begin()), .end = Place(found.end() - nodes_.begin())};
}

FreeTimes::Due FreeTimes::due_at(const Moment& moment) {
  const auto touched = seen_ ? moment.touches.since(*seen_) : std::nullopt;
  seen_ = moment.touches.end();
  // If time went back, nothing is valid either.
  const bool all = !touched || moment.now < std::exchange(now_, moment.now);
  Due due{.places = {}, .by_time = all || moment.now >= holds_until_, .out_of_order = all || minute_ != moment.minute};
  go_to_minute(moment.minute);
  if (due.by_time)
    for (const Place place : nodes_.indices())
      if (all || moment.now >= nodes_[place].holds_until) due.places.push_back(place);
  if (!all) add_touched(*touched, due.places);
  return due;
}

void FreeTimes::add_touched(std::span<const NodeIndex> touched, std::vector<Place>& places) const {
  const std::size_t before = places.size();
  for (const NodeIndex node : touched)
    if (const Place place = place_of(node); place != kNone) places.push_back(place);
  if (places.size() == before) return;
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
}

void FreeTimes::put_in_order(std::vector<Place>& changed) {
  IndexedVector<Place, std::uint8_t> moves(nodes_.size());
  for (const Place place : changed) moves[place] = 1;
  std::erase_if(by_first_.raw(), [&](Place place) { return moves[place] != 0; });
  const auto order = [&](Place place) { return std::tuple(nodes_[place].pool, nodes_[place].first, place); };
  std::ranges::sort(changed, {}, order);
  std::vector<Place> merged;
  merged.reserve(nodes_.size());
  std::ranges::merge(by_first_, changed, std::back_inserter(merged), {}, order, order);
  by_first_.raw() = std::move(merged);
}

void FreeTimes::note_next_change() {
  holds_until_ = {std::numeric_limits<std::int64_t>::max()};
  for (const Node& one : nodes_) holds_until_ = std::min(holds_until_, one.holds_until);
}

// All other nodes keep their order.
void FreeTimes::set_first(Place place, Minute first) {
  const Range range = of_pool(nodes_[place].pool);
  const auto begin = by_first_.begin() + std::ptrdiff_t{range.order_begin().value};
  const auto end = by_first_.begin() + std::ptrdiff_t{range.order_end().value};
  const auto find = [&](auto from, auto to, Minute minute) {
    return std::ranges::lower_bound(from, to, std::pair(minute, place), {},
                                    [&](Place one) { return std::pair(nodes_[one].first, one); });
  };
  const auto old = find(begin, end, nodes_[place].first);
  if (first > nodes_[place].first) std::rotate(old, old + 1, find(old + 1, end, first));
  else std::rotate(find(begin, old, first), old, old + 1);
  nodes_[place].first = first;
}

// As time goes on, the nodes stay in order. A node that should have room by now is looked at again: its result has
// expired.
void FreeTimes::go_to_minute(std::int64_t minute) {
  const auto passed = static_cast<Minute>(std::clamp<std::int64_t>(minute - minute_, 0, kHorizon + 1));
  minute_ = minute;
  if (passed == 0) return;
  const auto nearer = [&](Minute minute) { return minute == 0 || minute == kNoMinute ? minute : minute - passed; };
  for (Node& one : nodes_) one.first = nearer(one.first);
  for (FreeSteps& free_steps : free_steps_) std::ranges::transform(free_steps.from, free_steps.from.begin(), nearer);
}

}  // namespace ym::engine
