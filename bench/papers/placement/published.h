// What Weng et al. published of their runs (expected_results/analysis_allo_discrete.csv of their repository).
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/result.h"

namespace ym::sim::placement {

// Allocated GPUs in % of all, mean over the seeds.
struct PublishedResult {
  double at_100 = 0, at_130 = 0;
  std::int64_t seeds = 0;
};

// By list ("default") and policy ("06-FGD").
using PublishedResults = std::map<std::pair<std::string, std::string>, PublishedResult>;

Result<PublishedResults> read_published(const std::string& path);

}  // namespace ym::sim::placement
