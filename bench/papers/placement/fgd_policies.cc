#include "papers/placement/fgd_policies.h"

#include <algorithm>
#include <utility>

#include "papers/placement/each_gpu.h"
#include "papers/placement/type_costs.h"

namespace ym::sim::placement {
namespace {

constexpr std::int64_t kWholeNodes = 16;

std::int64_t whole_nodes(const std::vector<PodType>& types) {
  std::int64_t pods = 0;
  for (const PodType& type : types) pods += type.pods;
  return std::max<std::int64_t>(1, pods / kWholeNodes);
}

Fragments engine_fragments(const PodList& list) {
  const auto types = engine_types(list);
  return Fragments(types, whole_nodes(types));
}

void set(std::vector<std::int64_t>& by_node, Node node, std::int64_t value) {
  if (by_node.size() <= node) by_node.resize(node + 1);
  by_node[node] = value;
}

}  // namespace

PublishedFgdPolicy::PublishedFgdPolicy(const PodList& list)
    : fragments_(published_types(list)), curve_(fragments_.pods(), false) {}

void PublishedFgdPolicy::changed(Node node, const Room& room) { set(now_, node, fragments_.of(room)); }

Offer PublishedFgdPolicy::offer(const Shape& shape, Node node, const Room& room) {
  const auto score = [&](const Room& left) { return curve_.cost(now_[node] - fragments_.of(left)); };
  const GpuChoice choice = choose_gpus(room, shape, false, score);
  return {.cost = static_cast<Cost>(choice.score), .gpus = choice.gpus};
}

EngineFgdPolicy::EngineFgdPolicy(const PodList& list, const Fleet& fleet)
    : fragments_(engine_fragments(list)),
      curve_(fragments_.pods()),
      type_costs_(node_costs(type_costs(list, fleet), fleet)) {}

void EngineFgdPolicy::changed(Node node, const Room& room) { set(now_, node, fragments_.of(room)); }

Offer EngineFgdPolicy::offer(const Shape& shape, Node node, const Room& room) {
  const std::int64_t more = fragments_.pods() * (shape.total_milli() * type_costs_[node] / kWholeGpu);
  const auto score = [&](const Room& left) { return curve_.cost(now_[node] - fragments_.of(left) - more); };
  const GpuChoice choice = choose_gpus(room, shape, true, score);
  return {.cost = score_then_small_nodes(choice.score, room), .gpus = choice.gpus};
}

}  // namespace ym::sim::placement
