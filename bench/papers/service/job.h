// A job of fixed size: so many GPUs, all at once, for so long; and what became of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ym::sim::service {

// Whole: iterations x milliseconds x 1.015 is a whole number of them, so nothing is rounded.
using Micros = std::int64_t;
using Count = std::int64_t;     // of GPUs, nodes or jobs
using JobNumber = std::size_t;  // its place in the list, which is sorted by submission
inline constexpr Micros kSecond = 1'000'000;
inline constexpr Micros kNever = std::numeric_limits<Micros>::max() / 4;

constexpr double seconds_of(Micros time_us) { return static_cast<double>(time_us) / static_cast<double>(kSecond); }

struct ClusterShape {
  Count nodes = 8;
  Count gpus_per_node = 8;

  Count gpus() const { return nodes * gpus_per_node; }
};

struct Job {
  std::int64_t id = 0;
  Count gpus = 1;  // 1 to all of the cluster
  std::string model{};
  Micros submit_us = 0;
  std::int64_t iterations = 0;
  std::int64_t iteration_ms = 0;
  Micros work_us = 0;      // run time alone, at least 1
  Micros overhead_us = 0;  // run time without progress after each start
};

struct Outcome {
  Micros first_start_us = kNever;
  Micros end_us = kNever;
  Count starts = 0;

  Count moves() const { return starts - 1; }
};

// Of a job as Muri's simulator reckons: an iteration takes 1.5 % longer than it was measured.
constexpr Micros work_us_of(std::int64_t iterations, std::int64_t iteration_ms) {
  return iterations * iteration_ms * 1015;
}

}  // namespace ym::sim::service
