// Jobs for tests.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "papers/service/job.h"

namespace ym::sim::service {

struct MadeUpJob {
  Count gpus = 1;
  std::int64_t submit_s = 0;
  std::int64_t work_s = 1;
  std::int64_t overhead_s = 0;
};

// Numbered from 0, as they stand. Preconditions: by submission.
inline std::vector<Job> made_up_jobs(const std::vector<MadeUpJob>& wanted) {
  std::vector<Job> jobs;
  for (const MadeUpJob& one : wanted) {
    jobs.push_back({.id = static_cast<std::int64_t>(jobs.size()),
                    .gpus = one.gpus,
                    .submit_us = one.submit_s * kSecond,
                    .iterations = one.work_s,
                    .iteration_ms = 1000,
                    .work_us = one.work_s * kSecond,
                    .overhead_us = one.overhead_s * kSecond});
  }
  return jobs;
}

inline std::vector<double> ends_s(const std::vector<Outcome>& outcomes) {
  std::vector<double> ends;
  for (const Outcome& outcome : outcomes) ends.push_back(seconds_of(outcome.end_us));
  return ends;
}

// Powers of two to 64 GPUs, small ones mostly; work of 1 s to 18 h, all orders of magnitude alike.
inline std::vector<Job> random_jobs(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<MadeUpJob> wanted;
  std::int64_t now_s = 0;
  while (wanted.size() < count) {
    now_s += static_cast<std::int64_t>(random.below(2000));
    const auto size = std::min(random.below(7), random.below(7));
    const auto work_s = static_cast<std::int64_t>((1 + random.below(1000)) << random.below(7));
    wanted.push_back({.gpus = Count{1} << size, .submit_s = now_s, .work_s = work_s, .overhead_s = 5});
  }
  return made_up_jobs(wanted);
}

}  // namespace ym::sim::service
