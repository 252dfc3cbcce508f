// What pods ask for, and what is free of a node: in thousandths of a CPU, MiB, and thousandths of each GPU by its
// index.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ym::sim::placement {

inline constexpr std::size_t kMostGpus = 8;  // of a node
inline constexpr std::int32_t kWholeGpu = 1000;

using Node = std::uint32_t;     // place in the order of the fleet
using ShapeId = std::uint32_t;  // place among the shapes of a list of pods
using GpuMask = std::uint8_t;   // bit i: the GPU with the index i

// What a pod asks for. Pods that ask for the same are of one shape.
struct Shape {
  std::int32_t cpu_milli = 0, memory_mib = 0;
  std::int32_t gpus = 0;
  std::int32_t gpu_milli = 0;  // of each; less than a whole one only with one GPU
  std::uint32_t types = ~0U;   // bit t: it may have GPUs of the type t
  auto operator<=>(const Shape&) const = default;

  bool shares() const { return gpus == 1 && gpu_milli < kWholeGpu; }
  std::int32_t total_milli() const { return gpus * gpu_milli; }
};

// What is free of a node. GPUs beyond those that it has are never free.
struct Room {
  std::int32_t cpu_milli = 0, memory_mib = 0;
  std::array<std::int32_t, kMostGpus> free{};
  std::uint32_t type = 1;  // one bit: of its GPUs
  std::int32_t gpus = 0;   // that the node has

  std::int32_t idle_milli() const {
    std::int32_t sum = 0;
    for (const std::int32_t one : free) sum += one;
    return sum;
  }
  std::int32_t whole() const { return static_cast<std::int32_t>(std::ranges::count(free, kWholeGpu)); }

  bool fits(const Shape& shape) const {
    if (cpu_milli < shape.cpu_milli || memory_mib < shape.memory_mib) return false;
    if (shape.gpus == 0) return true;
    std::int32_t enough = 0;
    for (const std::int32_t one : free) enough += one >= shape.gpu_milli;
    return enough >= shape.gpus && (shape.types & type) != 0;
  }

  // A pod has these GPUs; with -1 it gives them back.
  void take(const Shape& shape, GpuMask mask, std::int32_t times = 1) {
    cpu_milli -= times * shape.cpu_milli;
    memory_mib -= times * shape.memory_mib;
    for (std::size_t i = 0; i < kMostGpus; ++i)
      if ((mask >> i & 1U) != 0) free[i] -= times * shape.gpu_milli;
  }
  Room after(const Shape& shape, GpuMask mask) const {
    Room left = *this;
    left.take(shape, mask);
    return left;
  }
};

// The first GPUs that have room for it. Precondition: it fits.
GpuMask first_gpus(const Room& room, const Shape& shape);
// Those of them with the least free, then the first. Precondition: it fits.
GpuMask tightest_gpus(const Room& room, const Shape& shape);

}  // namespace ym::sim::placement
