// How much the elastic policies lose where they believe wrong speeds (beliefs.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "papers/elastic/elastic_policy.h"

namespace ym::sim::elastic {

struct ErrorRow {
  std::string policy;
  ErrorOptions errors{};  // with the first seed
  // Mean completion times over all workloads, in seconds: the mean over seeds, and the best and the worst of them.
  double mean_s = 0, least_s = 0, most_s = 0;
};

struct ErrorTableOptions {
  std::string load = "1.0";
  Count workloads = 4;
  Count seeds = 10;
  std::vector<double> sigmas{0.2, 0.5};
  double discount_per_job = 1.5;  // where jobs learn alone
};

// The same workloads with each of the variants A, B, C and B+C, each sigma and each kind of correction. `folder`: as
// read_catalog() wants it.
Result<std::vector<ErrorRow>> error_table(const std::string& folder, const ErrorTableOptions& options = {});

}  // namespace ym::sim::elastic
