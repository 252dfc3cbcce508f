// The protocol of Weng et al. (USENIX ATC 2023): pods arrive one by one until 130% of all GPUs were asked for, and
// never leave; one that fits nowhere is dropped.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "papers/placement/cluster.h"

namespace ym::sim::placement {

// Classes of pods, for who is served: without GPUs, shares below 0.8 of one, larger shares, one, several.
enum class PodClass : std::uint8_t { cpu_only, small_share, large_share, one_gpu, several_gpus };
inline constexpr std::size_t kPodClasses = 5;

PodClass class_of(const Shape& shape);

struct Served {
  std::int64_t arrived = 0, placed = 0;

  Served& operator+=(const Served& other) {
    arrived += other.arrived;
    placed += other.placed;
    return *this;
  }
  double percent() const { return arrived == 0 ? 0 : 100 * static_cast<double>(placed) / static_cast<double>(arrived); }
};

struct FillResult {
  // Allocated GPUs in % of all, mean over all arrivals at which this much had arrived, rounded to whole percents.
  double allocated_at_100 = 0, allocated_at_130 = 0;
  std::array<Served, kPodClasses> served{};
};

// Calls `each` after each pod that was placed. Precondition: an empty cluster.
FillResult fill(Cluster& cluster, const PodList& list, std::span<const ShapeId> arrivals, std::int64_t capacity_milli,
                const std::function<void(const Place&)>& each = {});

}  // namespace ym::sim::placement
