#include "executor/simulated/simulated_capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ym {
namespace {

// Interval between checks for idle nodes.
constexpr Duration kLook = seconds(1);

}  // namespace

std::int64_t SimulatedCapacity::present(const Pool& pool) const {
  return std::ranges::count_if(nodes_, [&](const Node& node) { return pool.flavor.matches(node); }) +
         std::ssize(pool.made);
}

// If it makes no nodes it reports none: the nodes are those of the configuration.
void SimulatedCapacity::set_nodes(std::vector<Node> nodes) {
  nodes_ = std::move(nodes);
  if (!pools_.empty()) told_ = false;
}

void SimulatedCapacity::provision(const Flavor& flavor, Instant now) {
  auto& pool = pools_[flavor.name];
  pool.flavor = flavor;
  told_ = false;
  const std::int64_t missing = flavor.elastic ? flavor.wanted.nodes - present(pool) : 0;
  pool.coming.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(missing, 0, std::ssize(pool.coming))));
  while (std::ssize(pool.coming) < missing) pool.coming.push_back(now + flavor.elastic->provisioning);
}

std::optional<std::vector<Node>> SimulatedCapacity::pass(Instant now,
                                                         const std::function<bool(const std::string&)>& is_used) {
  bool changed = !std::exchange(told_, true);
  for (auto& [name, pool] : pools_) {
    while (!pool.coming.empty() && pool.coming.front() <= now) {
      pool.coming.erase(pool.coming.begin());
      pool.made.emplace(fmt::format("{}-{}", name, ++pool.numbers), now);
      changed = true;
    }
    for (auto& [node, idle_since] : pool.made)
      if (is_used(node)) idle_since = now;
    const Duration idle = pool.flavor.elastic ? pool.flavor.elastic->idle : Duration{};
    std::int64_t too_many = present(pool) - pool.flavor.wanted.nodes;
    const auto goes = [&](const auto& one) {
      if (too_many <= 0 || now - one.second < idle || is_used(one.first)) return false;
      too_many -= 1;
      return true;
    };
    changed |= std::erase_if(pool.made, goes) > 0;
  }
  if (!changed) return std::nullopt;
  return nodes();
}

std::optional<Instant> SimulatedCapacity::next() const {
  if (!told_) return Instant{};
  std::optional<Instant> first;
  const auto at = [&](Instant time) { first = std::min(first.value_or(time), time); };
  for (const auto& [name, pool] : pools_) {
    if (!pool.coming.empty()) at(pool.coming.front());
    if (present(pool) <= pool.flavor.wanted.nodes) continue;
    for (const auto& [node, idle_since] : pool.made)
      at(idle_since + std::max(kLook, pool.flavor.elastic ? pool.flavor.elastic->idle : Duration{}));
  }
  return first;
}

std::vector<Node> SimulatedCapacity::nodes() const {
  std::vector<Node> all = nodes_;
  for (const auto& [name, pool] : pools_)
    for (const auto& [made, idle_since] : pool.made) {
      Node node = pool.flavor.elastic ? pool.flavor.elastic->node : Node{};
      node.name = made;
      node.cluster = pool.flavor.cluster;
      all.push_back(std::move(node));
    }
  return all;
}

}  // namespace ym
