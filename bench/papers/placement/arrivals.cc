#include "papers/placement/arrivals.h"

#include <numeric>
#include <utility>

#include "base/assert.h"

namespace ym::sim::placement {
namespace {

std::int64_t milli_of(const PodList& list, ShapeId pod) { return list.shapes[pod].total_milli(); }

std::int64_t limit_of(const ArrivalOptions& options) { return options.capacity_milli * options.most_percent / 100; }

void add_clones(std::vector<ShapeId>& pods, std::int64_t arrived, const PodList& list, std::int64_t limit,
                Random& random) {
  YM_ASSERT(list.demand_milli() > 0);
  for (;;) {
    const ShapeId pod = list.pods[random.below(list.pods.size())];
    arrived += milli_of(list, pod);
    if (arrived > limit) return;
    pods.push_back(pod);
  }
}

}  // namespace

void shuffle(std::vector<ShapeId>& pods, Random& random) {
  for (std::size_t i = pods.size(); i > 1; --i) std::swap(pods[i - 1], pods[random.below(i)]);
}

std::vector<ShapeId> arrivals_of(const PodList& list, const ArrivalOptions& options, std::uint64_t seed) {
  Random random(seed);
  std::vector<ShapeId> pods = list.pods;
  shuffle(pods, random);
  std::int64_t arrived = list.demand_milli();
  while (arrived > limit_of(options)) {
    const auto pod = static_cast<std::ptrdiff_t>(random.below(pods.size()));
    arrived -= milli_of(list, pods[static_cast<std::size_t>(pod)]);
    pods.erase(pods.begin() + pod);
  }
  add_clones(pods, arrived, list, limit_of(options), random);
  return pods;
}

Fleet in_drawn_order(const Fleet& fleet, std::uint64_t seed) {
  Random random(~seed);  // another stream than that of the pods
  std::vector<Node> order(fleet.rooms.size());
  std::iota(order.begin(), order.end(), Node{0});
  shuffle(order, random);
  Fleet drawn;
  drawn.types = fleet.types;
  for (const Node node : order) {
    drawn.rooms.push_back(fleet.rooms[node]);
    drawn.names.push_back(fleet.names[node]);
  }
  return drawn;
}

std::vector<ShapeId> drawn_arrivals(const PodList& list, const ArrivalOptions& options, Random& random) {
  std::vector<ShapeId> pods;
  add_clones(pods, 0, list, limit_of(options), random);
  return pods;
}

}  // namespace ym::sim::placement
