#include "papers/queueing/worth.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::sim::queueing {
namespace {

// Keys of those behind others. Left GPU time is counted in ms, so that it stays below.
constexpr Micros kBehind = kNever / 4, kHopeless = kNever / 2;

class Keys {
 public:
  Keys(std::span<const Job> jobs, std::span<const Deadlines> deadlines, BestEffort best_effort)
      : jobs_(jobs), deadlines_(deadlines), best_effort_(best_effort) {}

  Micros of(JobNumber job, Micros left_us, Micros now_us) const {
    const Micros left_gpu_ms = left_us * jobs_[job].gpus / 1000;
    const auto& steps = deadlines_[job].steps;
    if (steps.empty()) return left_gpu_ms + (best_effort_ == BestEffort::behind ? kBehind : 0);
    const auto next =
        std::ranges::find_if(steps, [&](const DeadlineStep& step) { return step.until_us >= now_us + left_us; });
    if (next == steps.end()) return kHopeless + left_us / 1000;
    return static_cast<Micros>(static_cast<double>(left_gpu_ms) * steps.front().value / next->value);
  }

 private:
  std::span<const Job> jobs_;
  std::span<const Deadlines> deadlines_;
  BestEffort best_effort_;
};

}  // namespace

std::vector<Outcome> run_by_worth(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                                  const WorthOptions& options) {
  YM_ASSERT(jobs.size() == deadlines.size());
  const Keys keys(jobs, deadlines, options.best_effort);
  Pool pool(jobs, options.shape, options.costs);
  while (!pool.done()) {
    pool.advance_to(pool.next_event_us());
    pool.plan([&](JobNumber job) { return keys.of(job, pool.running().left_us(job), pool.now_us()); });
  }
  return pool.running().outcomes();
}

}  // namespace ym::sim::queueing
