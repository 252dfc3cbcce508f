#include "papers/placement/fragments.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace ym::sim::placement {
namespace {

constexpr std::int64_t kPublishedPercent = 95;

std::vector<PodType> types_of(const std::map<Shape, std::int64_t>& counts) {
  std::vector<PodType> types;
  for (const auto& [shape, pods] : counts) types.push_back({.shape = shape, .pods = pods});
  return types;
}

// The first ones, until these are covered.
void keep(std::vector<PodType>& types, std::int64_t percent) {
  std::int64_t all = 0, covered = 0;
  for (const PodType& type : types) all += type.pods;
  const auto enough = std::ranges::find_if(types, [&](const PodType& type) {
    const bool done = covered * 100 >= all * percent;
    covered += type.pods;
    return done;
  });
  types.erase(enough, types.end());
}

// The engine's order: what is shared stands apart from whole devices there.
auto rank(const PodType& type) {
  const Shape& shape = type.shape;
  return std::tuple(type.pods, shape.shares() ? 0 : shape.gpus, shape.cpu_milli, shape.memory_mib,
                    shape.shares() ? shape.gpu_milli : 0);
}

}  // namespace

std::vector<PodType> published_types(const PodList& list) {
  std::map<Shape, std::int64_t> counts;
  for (std::size_t i = 0; i < list.shapes.size(); ++i) {
    Shape shape = list.shapes[i];
    shape.memory_mib = 0;
    counts[shape] += list.count[i];
  }
  auto types = types_of(counts);
  std::ranges::sort(types, {}, [](const PodType& type) { return std::pair(-type.pods, type.shape); });
  keep(types, kPublishedPercent);
  return types;
}

std::vector<PodType> engine_types(const PodList& list, const TypeLimits& limits) {
  std::map<Shape, std::int64_t> counts;
  for (std::size_t i = 0; i < list.shapes.size(); ++i) {
    Shape shape = list.shapes[i];
    shape.types = ~0U;
    if (shape.gpus > 0) counts[shape] += list.count[i];
  }
  auto types = types_of(counts);
  std::ranges::sort(types, [](const PodType& a, const PodType& b) { return rank(a) > rank(b); });
  keep(types, limits.percent);
  types.resize(std::min(types.size(), limits.most));
  return types;
}

Fragments::Fragments(const std::vector<PodType>& types, std::int64_t whole_nodes)
    : whole_nodes_(whole_nodes), pods_(whole_nodes) {
  for (const auto& [shape, pods] : types) {
    // No node has room for one without GPUs, so that all is a fragment to it.
    cpu_milli_.push_back(shape.gpus == 0 ? std::numeric_limits<std::int32_t>::max() : shape.cpu_milli);
    memory_mib_.push_back(shape.memory_mib);
    gpus_.push_back(shape.gpus);
    gpu_milli_.push_back(shape.gpu_milli);
    types_.push_back(shape.types);
    weights_.push_back(pods);
    pods_ += pods;
  }
}

std::int64_t Fragments::of(const Room& room) const {
  const std::int32_t idle = room.idle_milli();
  std::int64_t sum = room.whole() == room.gpus ? 0 : whole_nodes_ * idle;
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    std::int32_t enough = 0, useless = 0;
    for (const std::int32_t free : room.free) {
      const bool fits = free >= gpu_milli_[t];
      enough += fits ? 1 : 0;
      useless += fits ? 0 : free;
    }
    const bool runs = room.cpu_milli >= cpu_milli_[t] && room.memory_mib >= memory_mib_[t] && enough >= gpus_[t] &&
                      (types_[t] & room.type) != 0;
    sum += weights_[t] * (runs ? useless : idle);
  }
  return sum;
}

}  // namespace ym::sim::placement
