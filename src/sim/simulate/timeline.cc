#include "sim/simulate/timeline.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::sim {

void Timeline::advance_to(Instant at) {
  YM_ASSERT(at >= now_);
  while (now_ < at) {
    auto index = static_cast<std::size_t>((now_ - begin_).ms / width_.ms);
    while (index >= most_) {
      widen();
      index /= 2;
    }
    const Instant end = std::min(at, begin_ + Duration{width_.ms * static_cast<std::int64_t>(index + 1)});
    for (const auto& [name, level] : levels_) {
      if (level == 0) continue;
      auto& sums = sums_[name];
      if (sums.size() <= index) sums.resize(index + 1);
      sums[index] += static_cast<double>(level) * static_cast<double>((end - now_).ms);
    }
    now_ = end;
  }
}

void Timeline::widen() {
  width_.ms *= 2;
  for (auto& [name, sums] : sums_) {
    for (std::size_t i = 0; i < sums.size(); i += 2) sums[i / 2] = sums[i] + (i + 1 < sums.size() ? sums[i + 1] : 0);
    sums.resize((sums.size() + 1) / 2);
  }
}

std::map<std::string, std::vector<double>> Timeline::means() const {
  const auto past = (now_ - begin_).ms;
  const auto count = static_cast<std::size_t>((past + width_.ms - 1) / width_.ms);
  auto means = sums_;
  for (auto& [name, sums] : means) {
    sums.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto begun = static_cast<std::int64_t>(i) * width_.ms;
      sums[i] /= static_cast<double>(std::min(width_.ms, past - begun));
    }
  }
  return means;
}

}  // namespace ym::sim
