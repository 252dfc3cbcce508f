#include "papers/placement/room.h"

namespace ym::sim::placement {

GpuMask first_gpus(const Room& room, const Shape& shape) {
  unsigned mask = 0;
  std::int32_t wanted = shape.gpus;
  for (std::size_t i = 0; i < kMostGpus && wanted > 0; ++i) {
    if (room.free[i] < shape.gpu_milli) continue;
    mask |= 1U << i;
    wanted -= 1;
  }
  return static_cast<GpuMask>(mask);
}

GpuMask tightest_gpus(const Room& room, const Shape& shape) {
  unsigned mask = 0;
  for (std::int32_t wanted = shape.gpus; wanted > 0; --wanted) {
    std::size_t best = kMostGpus;
    for (std::size_t i = 0; i < kMostGpus; ++i) {
      if (room.free[i] < shape.gpu_milli || (mask >> i & 1U) != 0) continue;
      if (best == kMostGpus || room.free[i] < room.free[best]) best = i;
    }
    mask |= 1U << best;
  }
  return static_cast<GpuMask>(mask);
}

}  // namespace ym::sim::placement
