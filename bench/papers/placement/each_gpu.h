// Which GPU of a node a share gets.
#pragma once

#include <cstdint>

#include "papers/placement/room.h"

namespace ym::sim::placement {

struct GpuChoice {
  std::int64_t score = 0;
  GpuMask gpus = 0;
};

// The one that scores least, by score(room afterwards). Of equal ones the fullest, if so wanted, then the first.
// GPUs of which the same is free are alike. Preconditions: the pod shares, and fits.
template <class Score>
GpuChoice choose_gpu(const Room& room, const Shape& shape, bool fullest, Score score) {
  GpuChoice best;
  std::int32_t best_free = 0;
  for (std::size_t i = 0; i < kMostGpus; ++i) {
    const std::int32_t free = room.free[i];
    bool is_new = free >= shape.gpu_milli;
    for (std::size_t before = 0; before < i && is_new; ++before) is_new = room.free[before] != free;
    if (!is_new) continue;
    const auto gpus = static_cast<GpuMask>(1U << i);
    const std::int64_t own = score(room.after(shape, gpus));
    if (best.gpus != 0 && (own > best.score || (own == best.score && (!fullest || free >= best_free)))) continue;
    best = {.score = own, .gpus = gpus};
    best_free = free;
  }
  return best;
}

// The same for any pod: whole GPUs are the first ones.
template <class Score>
GpuChoice choose_gpus(const Room& room, const Shape& shape, bool fullest, Score score) {
  if (shape.shares()) return choose_gpu(room, shape, fullest, score);
  const GpuMask gpus = first_gpus(room, shape);
  return {.score = score(room.after(shape, gpus)), .gpus = gpus};
}

}  // namespace ym::sim::placement
