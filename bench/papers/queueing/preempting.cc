#include "papers/queueing/preempting.h"

#include <algorithm>

#include "papers/queueing/pool.h"

namespace ym::sim::queueing {
namespace {

// When a job that runs has had so much GPU time.
Micros falls_us(const Job& job, Micros now_us, Micros ran_us, Count threshold_gpu_s) {
  return now_us + (threshold_gpu_s * kSecond + job.gpus - 1) / job.gpus - ran_us;
}

}  // namespace

std::vector<Outcome> run_srtf(std::span<const Job> jobs, const SrtfOptions& options) {
  Pool pool(jobs, options.shape, options.costs);
  while (!pool.done()) {
    pool.advance_to(pool.next_event_us());
    pool.plan([&](JobNumber job) { return pool.running().left_us(job); });
  }
  return pool.running().outcomes();
}

std::vector<Outcome> run_tiresias(std::span<const Job> jobs, const TiresiasOptions& options) {
  Pool pool(jobs, options.shape, options.costs);
  const auto has_fallen = [&](JobNumber job) {
    return pool.running().ran_us(job) * jobs[job].gpus >= options.threshold_gpu_s * kSecond;
  };
  while (!pool.done()) {
    // Rounds between two events change nothing.
    Micros event_us = pool.next_event_us();
    for (const JobNumber job : pool.active())
      if (pool.running().runs(job) && !has_fallen(job))
        event_us = std::min(event_us, falls_us(jobs[job], pool.running().now_us(), pool.running().ran_us(job),
                                               options.threshold_gpu_s));
    pool.advance_to((event_us + options.round_us - 1) / options.round_us * options.round_us);
    pool.plan([&](JobNumber job) { return Micros{has_fallen(job)}; });
  }
  return pool.running().outcomes();
}

}  // namespace ym::sim::queueing
