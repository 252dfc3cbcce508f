#include "papers/elastic/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "papers/elastic/bounds.h"
#include "papers/elastic/elastic_policy.h"
#include "papers/elastic/optimus.h"
#include "papers/elastic/published.h"
#include "papers/elastic/tiresias.h"

namespace ym::sim::elastic {
namespace {

std::string folder_of_load(const std::string& folder, const std::string& load) {
  return load == "1.0" ? folder + "/workloads" : fmt::format("{}/workloads-{}", folder, load);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// By workload.
struct Series {
  std::vector<double> published_s, ours_s, restarts;
};

Result<Series> published_series(const std::string& folder, const std::string& load, const std::string& published_as,
                                std::size_t workloads) {
  const std::string experiment = fmt::format("jobload-{}-{}", published_as, load);
  const auto published = read_published(folder + "/published_results", experiment);
  if (!published) return std::unexpected(published.error());
  Series series;
  for (std::size_t i = 1; i <= workloads; ++i) {
    const auto found = published->find(fmt::format("workload-{}", i));
    if (found == published->end())
      return fail(ErrorCode::invalid, fmt::format("{}: there is nothing of workload {}", experiment, i));
    series.published_s.push_back(found->second);
  }
  return series;
}

class LoadTable {
 public:
  LoadTable(const std::string& folder, const std::string& load, const Catalog& catalog, const TableOptions& options)
      : folder_(folder), load_(load), catalog_(catalog), options_(options) {}

  Result<void> add_rows(std::vector<TableRow>& rows) {
    auto requests = read_load(folder_, load_, options_.workloads, catalog_);
    if (!requests) return std::unexpected(requests.error());
    requests_ = std::move(*requests);
    for (const auto& workload : requests_) bounds_s_.push_back(bound_s(workload));
    for (const PolicyOfTable& policy : policies_of_table()) {
      const auto series = series_of(policy);
      if (!series) return std::unexpected(series.error());
      add_policy(policy.name, *series, rows);
    }
    return {};
  }

 private:
  double bound_s(const std::vector<JobRequest>& requests) const {
    PausingBoundOptions price = options_.price;
    price.without.protocol = options_.protocol;
    switch (options_.bound) {
      case TableBound::isolated_or_srpt:
        return simple_bounds(catalog_, requests, options_.protocol.cluster).isolated_or_srpt_s();
      case TableBound::price: return price_bound(catalog_, requests, price.without).mean_completion_s;
      case TableBound::price_and_pauses: return pausing_price_bound(catalog_, requests, price).mean_completion_s;
    }
    return 0;
  }

  Result<Series> series_of(const PolicyOfTable& policy) const {
    auto series = published_series(folder_, load_, policy.published_as, requests_.size());
    if (!series || !policy.make) return series;
    for (const auto& requests : requests_) {
      const auto outcome = simulate(catalog_, requests, *policy.make(catalog_), options_.protocol);
      if (!outcome) return std::unexpected(outcome.error());
      series->ours_s.push_back(outcome->mean_completion_s());
      series->restarts.push_back(outcome->restarts_per_job());
    }
    return series;
  }

  void add_policy(const std::string& policy, const Series& series, std::vector<TableRow>& rows) const {
    TableRow row{.load = load_, .workload = "mean", .policy = policy};
    if (load_ == options_.loads.front()) {
      for (std::size_t i = 0; i < requests_.size(); ++i) {
        row.workload = fmt::format("{}", i + 1);
        row.published_s = series.published_s[i];
        row.bound_s = bounds_s_[i];
        if (!series.ours_s.empty()) row.ours_s = series.ours_s[i], row.restarts_per_job = series.restarts[i];
        rows.push_back(row);
      }
    }
    row.workload = "mean";
    row.published_s = mean(series.published_s);
    row.bound_s = mean(bounds_s_);
    if (!series.ours_s.empty()) row.ours_s = mean(series.ours_s), row.restarts_per_job = mean(series.restarts);
    rows.push_back(row);
  }

  const std::string& folder_;
  const std::string& load_;
  const Catalog& catalog_;
  const TableOptions& options_;
  std::vector<std::vector<JobRequest>> requests_;
  std::vector<double> bounds_s_;
};

PolicyOfTable ours(const ElasticOptions& options) {
  return {.name = options.name, .published_as = "pollux", .make = [options](const Catalog& catalog) {
            return std::make_unique<ElasticPolicy>(catalog, options);
          }};
}

}  // namespace

double TableRow::ratio_to_bound() const { return ours_s.value_or(published_s.value_or(0)) / bound_s; }

std::vector<PolicyOfTable> policies_of_table() {
  return {{"Tiresias", "tiresias", [](const Catalog&) { return std::make_unique<Tiresias>(); }},
          {"Optimus", "optimus", [](const Catalog&) { return std::make_unique<Optimus>(); }},
          {"Pollux", "pollux"},
          ours(known_profile()),
          ours(growth_limited()),
          ours(remaining_unknown()),
          ours(remaining_typical()),
          ours(growth_limited_remaining_unknown())};
}

Result<std::vector<std::vector<JobRequest>>> read_load(const std::string& folder, const std::string& load,
                                                       Count workloads, const Catalog& catalog) {
  std::vector<std::vector<JobRequest>> all;
  for (Count i = 1; i <= workloads; ++i) {
    auto requests = read_workload(fmt::format("{}/workload-{}.csv", folder_of_load(folder, load), i), catalog);
    if (!requests) return std::unexpected(requests.error());
    all.push_back(std::move(*requests));
  }
  return all;
}

Result<std::vector<TableRow>> elastic_table(const std::string& folder, const TableOptions& options) {
  const auto catalog = read_catalog(folder);
  if (!catalog) return std::unexpected(catalog.error());
  std::vector<TableRow> rows;
  for (const std::string& load : options.loads) {
    const bool is_there = std::filesystem::is_directory(folder_of_load(folder, load));
    if (!is_there && load != options.loads.front()) continue;
    if (auto added = LoadTable(folder, load, *catalog, options).add_rows(rows); !added)
      return std::unexpected(added.error());
  }
  return rows;
}

std::vector<std::string> table_titles() {
  return {"load", "workload", "policy", "published s", "ours s", "bound s", "ratio to bound", "restarts per job"};
}

std::vector<std::string> table_cells(const TableRow& row) {
  const auto seconds = [](std::optional<double> value) { return value ? fmt::format("{:.1f}", *value) : "-"; };
  return {row.load,
          row.workload,
          row.policy,
          seconds(row.published_s),
          seconds(row.ours_s),
          seconds(row.bound_s),
          fmt::format("{:.2f}", row.ratio_to_bound()),
          row.restarts_per_job ? fmt::format("{:.2f}", *row.restarts_per_job) : "-"};
}

}  // namespace ym::sim::elastic
