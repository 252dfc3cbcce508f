// Which of the nodes that are free at a time are promised to a gang.
#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>
#include <tuple>

#include "engine/reserve/reservations.h"
#include "engine/state/slices.h"

namespace ym::engine {

bool Reservations::has_slices(const Wish& wish, const Start& start) const {
  std::vector<Index> nodes;
  for (const Start::Node& one : start.nodes) nodes.push_back(one.node);
  return usable(state_.inventory.topology, wish.need.levels, nodes) >= wish.need.nodes;
}

// At the time, of those that the task wants.
std::int64_t Reservations::devices_free(const Wish& wish, Minute minute, Index node) const {
  const auto steps = calendar_.steps(node, wish.yielding);
  if (is_booked(node)) return free_at(steps, node, minute, wish.need.task.profile).devices;
  const auto& step = *std::prev(std::ranges::upper_bound(steps, minute, {}, &Calendar::Step::from));
  return std::popcount(step.devices & state_.inventory.of_profile(node, wish.need.task.profile));
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
  // By a task: there can be none before them, as it would have no room. Of one that wants none that is not said:
  // devices may be promised that are not free yet.
  std::vector<Index> filled;
  for (std::uint32_t place = 0; place < nodes.size() && filled.size() < wanted; ++place) {
    const auto devices = devices_free(wish, minute, nodes[place]);
    candidates.emplace_back(static_cast<std::int32_t>(devices), place);
    if (devices > 0 && devices == wish.need.task.devices) filled.push_back(nodes[place]);
  }
  if (filled.size() == wanted) return filled;
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(wanted));
  candidates.resize(wanted);
  std::vector<Index> chosen;
  for (const auto& [devices, place] : candidates) chosen.push_back(nodes[place]);
  return chosen;
}

// Those of which `latest` takes the first.
std::vector<Index> Reservations::in_order_of_choice(const Wish& wish, const Start& start) const {
  std::vector<std::tuple<Minute, std::int64_t, std::string_view, Index>> order;
  for (const Start::Node& one : start.nodes) {
    const auto steps = calendar_.steps(one.node, wish.yielding);
    const Free free = free_at(steps, one.node, start.minute, wish.need.task.profile);
    order.emplace_back(-one.first, free.devices, state_.inventory.node_names[one.node], one.node);
  }
  std::ranges::sort(order);
  std::vector<Index> nodes;
  for (const auto& [first, devices, name, node] : order) nodes.push_back(node);
  return nodes;
}

// In whole slices.
std::vector<Index> Reservations::latest_slices(const Wish& wish, const Start& start) const {
  const Inventory& inventory = state_.inventory;
  std::vector<Index> chosen;
  for (const auto& slice : first_slices(inventory.topology, wish.need.levels, in_order_of_choice(wish, start),
                                        wish.need.nodes, std::identity{}))
    chosen.insert(chosen.end(), slice.begin(), slice.end());
  std::ranges::sort(chosen, {}, [&](Index node) -> const std::string& { return inventory.node_names[node]; });
  return chosen;
}

// What is free before is left to others.
std::vector<Index> Reservations::latest(const Wish& wish, const Start& start) const {
  if (wish.need.levels.slice != kNone) return latest_slices(wish, start);
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

}  // namespace ym::engine
