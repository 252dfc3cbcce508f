#include "papers/elastic/error_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "papers/elastic/table.h"

namespace ym::sim::elastic {
namespace {

using Workloads = std::vector<std::vector<JobRequest>>;

Result<double> mean_completion_s(const Catalog& catalog, const Workloads& workloads, const ElasticOptions& options) {
  double sum_s = 0;
  for (const auto& requests : workloads) {
    ElasticPolicy policy(catalog, options);
    const auto outcome = simulate(catalog, requests, policy, {.cluster = options.cluster});
    if (!outcome) return std::unexpected(outcome.error());
    sum_s += outcome->mean_completion_s();
  }
  return sum_s / static_cast<double>(workloads.size());
}

Result<ErrorRow> row_of(const Catalog& catalog, const Workloads& workloads, ElasticOptions options, Count seeds) {
  ErrorRow row{.policy = options.name, .errors = options.errors, .least_s = std::numeric_limits<double>::infinity()};
  for (Count seed = 0; seed < seeds; ++seed, ++options.errors.seed) {
    const auto one_s = mean_completion_s(catalog, workloads, options);
    if (!one_s) return std::unexpected(one_s.error());
    row.mean_s += *one_s / seeds;
    row.least_s = std::min(row.least_s, *one_s);
    row.most_s = std::max(row.most_s, *one_s);
  }
  return row;
}

std::vector<ErrorOptions> errors_of(const ErrorTableOptions& options) {
  std::vector<ErrorOptions> all;
  for (const double sigma : options.sigmas) {
    all.push_back({.sigma = sigma, .correction = Correction::never});
    all.push_back({.sigma = sigma, .correction = Correction::per_application});
    all.push_back({.sigma = sigma, .discount = options.discount_per_job, .correction = Correction::per_job});
  }
  return all;
}

}  // namespace

Result<std::vector<ErrorRow>> error_table(const std::string& folder, const ErrorTableOptions& options) {
  const auto catalog = read_catalog(folder);
  if (!catalog) return std::unexpected(catalog.error());
  const auto workloads = read_load(folder, options.load, options.workloads, *catalog);
  if (!workloads) return std::unexpected(workloads.error());
  std::vector<ErrorRow> rows;
  for (const auto& variant :
       {known_profile(), growth_limited(), remaining_unknown(), growth_limited_remaining_unknown()}) {
    for (const ErrorOptions& errors : errors_of(options)) {
      ElasticOptions wrong = variant;
      wrong.errors = errors;
      auto row = row_of(*catalog, *workloads, std::move(wrong), options.seeds);
      if (!row) return std::unexpected(row.error());
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

}  // namespace ym::sim::elastic
