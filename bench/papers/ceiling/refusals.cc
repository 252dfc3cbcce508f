#include "papers/ceiling/refusals.h"

#include <algorithm>

namespace ym::sim::placement {

bool asks_for_as_much(const Shape& more, const Shape& less) {
  if (more.cpu_milli < less.cpu_milli || more.memory_mib < less.memory_mib) return false;
  if (less.gpus == 0) return true;
  return more.gpus >= less.gpus && more.gpu_milli >= less.gpu_milli && (more.types & ~less.types) == 0;
}

Refusals::Refusals(const PodList& list, std::span<const ShapeId> arrivals, std::span<const ShapeId> probes)
    : probes_(probes), arrivals_(arrivals.size()), when_(list.shapes.size()) {
  for (std::size_t i = 0; i < arrivals.size(); ++i) when_[arrivals[i]].push_back(i);
  for (const ShapeId probe : probes) {
    auto& above = above_.emplace_back();
    auto& below = below_.emplace_back();
    for (std::size_t i = 0; i < list.shapes.size(); ++i) {
      if (asks_for_as_much(list.shapes[i], list.shapes[probe])) above.push_back(i);
      if (asks_for_as_much(list.shapes[probe], list.shapes[i])) below.push_back(i);
    }
  }
}

Guesses Refusals::all() const {
  Guesses guesses;
  for (const ShapeId probe : probes_) guesses.push_back({.first = 0, .last = when_[probe].size()});
  return guesses;
}

std::size_t Refusals::before(std::size_t shape, std::size_t arrival) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(when_[shape], arrival) - when_[shape].begin());
}

std::optional<std::vector<Bounds>> Refusals::placed(const Guesses& guesses) const {
  std::vector<std::size_t> least(when_.size()), most;
  for (const auto& pods : when_) most.push_back(pods.size());
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const auto& when = when_[probes_[i]];
    const Guess& guess = guesses[i];
    const std::size_t placed_until = guess.first == 0 ? 0 : when[guess.first - 1] + 1;
    const std::size_t refused_from = guess.last == when.size() ? arrivals_ : when[guess.last];
    for (const std::size_t shape : below_[i]) least[shape] = std::max(least[shape], before(shape, placed_until));
    for (const std::size_t shape : above_[i]) most[shape] = std::min(most[shape], before(shape, refused_from));
  }
  std::vector<Bounds> placed;
  for (std::size_t i = 0; i < when_.size(); ++i) {
    if (least[i] > most[i]) return std::nullopt;
    placed.push_back({.least = static_cast<double>(least[i]), .most = static_cast<double>(most[i])});
  }
  return placed;
}

}  // namespace ym::sim::placement
