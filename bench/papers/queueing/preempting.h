// Policies under which those who run are stopped for others, under the protocols of Helios (SC 2021) for SRTF and of
// Hu et al., "Lucid", ASPLOS 2023, for Tiresias. Both know no more than a count of GPUs when they choose; who then
// finds no nodes waits, and others who do take what is free.
#pragma once

#include <span>
#include <vector>

#include "papers/queueing/pool.h"

namespace ym::sim::queueing {

struct SrtfOptions {
  ClusterShape shape{};
  StopCosts costs{};
};

// Shortest remaining run time first: at each submission and end.
std::vector<Outcome> run_srtf(std::span<const Job> jobs, const SrtfOptions& options = {});

struct TiresiasOptions {
  ClusterShape shape{};
  Count threshold_gpu_s = 18'000;  // who has had so much is behind those who have not; else by submission
  Micros round_us = 60 * kSecond;  // jobs begin and are stopped at whole multiples of it
  // "40/60 s", taken as of one node and of more.
  StopCosts costs{.one_gpu_us = 40 * kSecond, .one_node_us = 40 * kSecond, .more_us = 60 * kSecond};
};

std::vector<Outcome> run_tiresias(std::span<const Job> jobs, const TiresiasOptions& options = {});

}  // namespace ym::sim::queueing
