#include "papers/spot/omniscient.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace ym::sim::spot {
namespace {

constexpr std::int32_t kUnreachable = 1 << 29;

// Work and time in units. A start is charged at once, as work: nobody who knows the market leaves before a start is
// over, so that nothing has to be given back.
class OmniscientInduction {
 public:
  OmniscientInduction(const Job& job, const Market& market);

  std::int64_t solve(std::size_t start);

 private:
  struct Step {
    std::size_t tick = 0;
    int units = 0;       // that it lasts
    int least_left = 0;  // work left that is worth knowing of
    bool may_idle = true;
  };
  // Cost to go, by work left. Rows: idle, on demand, zones.
  using Rows = std::vector<std::vector<std::int32_t>>;

  void step(const Step& step);
  std::int32_t anew(const Step& step, int left) const;
  std::int32_t stay(std::size_t row, const Step& step, int left) const;
  std::int32_t price(std::size_t row) const;

  const Job& job_;
  const Market& market_;
  std::int64_t unit_ms_;
  int tick_, start_, work_;
  Rows next_, here_;
};

constexpr std::size_t kIdleRow = 0, kOnDemandRow = 1, kFirstZoneRow = 2;

OmniscientInduction::OmniscientInduction(const Job& job, const Market& market)
    : job_(job),
      market_(market),
      unit_ms_(std::gcd(std::gcd(market.tick_ms, job.start_ms), job.work_ms)),
      tick_(static_cast<int>(market.tick_ms / unit_ms_)),
      start_(static_cast<int>(job.start_ms / unit_ms_)),
      work_(static_cast<int>(job.work_ms / unit_ms_)),
      next_(kFirstZoneRow + market.zones(),
            std::vector<std::int32_t>(static_cast<std::size_t>(work_ + start_) + 1, kUnreachable)) {
  YM_ASSERT(std::int64_t{work_ + start_} * job.prices.on_demand_cents < kUnreachable / 2);
  for (auto& row : next_) row[0] = 0;
  here_ = next_;
}

std::int64_t OmniscientInduction::solve(std::size_t start) {
  const auto whole = static_cast<int>(job_.deadline_ms / market_.tick_ms);
  const auto rest = static_cast<int>((job_.deadline_ms - whole * market_.tick_ms) / unit_ms_);
  if (rest > 0) step({.tick = start + static_cast<std::size_t>(whole), .units = rest, .may_idle = false});
  for (int done = whole - 1; done >= 0; --done)
    step({.tick = start + static_cast<std::size_t>(done),
          .units = tick_,
          .least_left = std::max(0, work_ - done * tick_)});
  return next_[kIdleRow][static_cast<std::size_t>(work_)] * unit_ms_;
}

std::int32_t OmniscientInduction::price(std::size_t row) const {
  return static_cast<std::int32_t>(row == kOnDemandRow ? job_.prices.on_demand_cents : job_.prices.spot_cents);
}

std::int32_t OmniscientInduction::stay(std::size_t row, const Step& step, int left) const {
  const int units = std::min(step.units, left);
  return next_[row][static_cast<std::size_t>(left - units)] + units * price(row);
}

std::int32_t OmniscientInduction::anew(const Step& step, int left) const {
  // More than the work is left only while a start is under way.
  if (left > work_) return kUnreachable;
  std::int32_t best = step.may_idle ? next_[kIdleRow][static_cast<std::size_t>(left)] : kUnreachable;
  best = std::min(best, stay(kOnDemandRow, step, left + start_));
  for (std::size_t zone = 0; zone < market_.zones(); ++zone)
    if (market_.up(zone, step.tick)) best = std::min(best, stay(kFirstZoneRow + zone, step, left + start_));
  return best;
}

void OmniscientInduction::step(const Step& step) {
  for (int left = std::max(1, step.least_left); left <= work_ + start_; ++left) {
    const auto at = static_cast<std::size_t>(left);
    const std::int32_t fresh = anew(step, left);
    here_[kIdleRow][at] = fresh;
    here_[kOnDemandRow][at] = std::min(fresh, stay(kOnDemandRow, step, left));
    for (std::size_t zone = 0; zone < market_.zones(); ++zone) {
      const std::size_t row = kFirstZoneRow + zone;
      here_[row][at] = market_.up(zone, step.tick) ? std::min(fresh, stay(row, step, left)) : fresh;
    }
  }
  std::swap(next_, here_);
}

}  // namespace

std::int64_t least_cost(const Job& job, const Market& market, std::size_t start) {
  const std::int64_t lasts_ms = static_cast<std::int64_t>(market.ticks() - start) * market.tick_ms;
  YM_ASSERT(start < market.ticks() && lasts_ms >= job.deadline_ms);
  YM_ASSERT(job.work_ms > 0 && job.start_ms > 0 && job.work_ms + job.start_ms <= job.deadline_ms);
  return OmniscientInduction(job, market).solve(start);
}

}  // namespace ym::sim::spot
