#include "papers/placement/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "papers/placement/arrivals.h"
#include "papers/placement/list_name.h"

namespace ym::sim::placement {
namespace {

struct Inputs {
  Fleet fleet;
  std::vector<PodList> lists;
  PublishedResults published;  // none: the folder has none
};

constexpr std::string_view kBefore = "openb_pod_list_", kAfter = ".csv.gz";

std::string pods_path(const std::string& folder, const std::string& list) {
  return fmt::format("{}/{}{}{}", folder, kBefore, list, kAfter);
}

Result<std::vector<std::string>> lists_of(const TableOptions& options) {
  if (!options.lists.empty()) return options.lists;
  std::error_code error;
  std::vector<std::string> lists;
  for (const auto& entry : std::filesystem::directory_iterator(options.folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kBefore) && name.ends_with(kAfter)) lists.push_back(list_name(name));
  }
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", options.folder, error.message()));
  std::ranges::sort(lists);
  return lists;
}

Result<Inputs> read_inputs(const TableOptions& options) {
  Inputs inputs;
  const auto names = lists_of(options);
  if (!names) return std::unexpected(names.error());
  auto fleet = read_fleet(options.folder + "/openb_node_list_gpu_node.csv.gz");
  if (!fleet) return std::unexpected(fleet.error());
  inputs.fleet = std::move(*fleet);
  for (const std::string& name : *names) {
    auto list = read_pods(pods_path(options.folder, name), inputs.fleet);
    if (!list) return std::unexpected(list.error());
    inputs.lists.push_back(std::move(*list));
  }
  const std::string results = options.folder + "/published_results/analysis_allo_discrete.csv.gz";
  if (!std::filesystem::exists(results)) return inputs;
  auto published = read_published(results);
  if (!published) return std::unexpected(published.error());
  inputs.published = std::move(*published);
  return inputs;
}

std::optional<PublishedResult> published(const Inputs& inputs, const std::string& list, const std::string& policy) {
  const auto found = inputs.published.find({list, policy});
  return found == inputs.published.end() ? std::nullopt : std::optional(found->second);
}

FillRow fill_row(const Inputs& inputs, const PodList& list, const NamedPolicy& policy, const TableOptions& options) {
  FillRow row;
  row.list = list.name;
  row.policy = policy.name;
  const std::int64_t capacity = inputs.fleet.capacity_milli();
  std::vector<double> at_100, at_130;
  std::array<Served, kPodClasses> served;
  for (std::uint64_t seed = options.first_seed; std::cmp_less(at_100.size(), options.seeds); ++seed) {
    const Fleet fleet = in_drawn_order(inputs.fleet, seed);
    const auto own = policy.make(seed, fleet);
    Cluster cluster(fleet, list, *own);
    const FillResult run = fill(cluster, list, arrivals_of(list, {.capacity_milli = capacity}, seed), capacity);
    at_100.push_back(run.allocated_at_100);
    at_130.push_back(run.allocated_at_130);
    for (std::size_t i = 0; i < kPodClasses; ++i) served[i] += run.served[i];
  }
  row.at_100 = spread_of(at_100);
  row.at_130 = spread_of(at_130);
  row.published = published(inputs, list.name, policy.published);
  row.fgd = published(inputs, list.name, "06-FGD");
  for (std::size_t i = 0; i < kPodClasses; ++i) row.accepted[i] = served[i].percent();
  return row;
}

Result<std::optional<Spread>> ceiling_of(const Inputs& inputs, const PodList& list, const TableOptions& options) {
  if (!options.ceiling) return std::nullopt;
  return options.ceiling(list, inputs.fleet, options.first_seed, options.seeds);
}

struct ChurnRuns {
  std::vector<double> dropped, multi_accepted;
};

ChurnRuns churn_runs(const Inputs& inputs, const PodList& list, const NamedPolicy& policy,
                     const TableOptions& options) {
  ChurnRuns runs;
  for (std::uint64_t seed = options.first_seed; std::cmp_less(runs.dropped.size(), options.seeds); ++seed) {
    const Fleet fleet = in_drawn_order(inputs.fleet, seed);
    const auto own = policy.make(seed, fleet);
    Cluster cluster(fleet, list, *own);
    const ChurnResult run = churn(cluster, list, inputs.fleet.capacity_milli(), options.churn, seed);
    runs.dropped.push_back(run.dropped_percent());
    runs.multi_accepted.push_back(run.multi_accepted_percent());
  }
  return runs;
}

std::vector<NamedPolicy> policies_of(const Inputs& inputs, const PodList& list, const TableOptions& options) {
  auto policies = options.with_compared ? compared_policies(list) : std::vector{published_fgd(list)};
  policies.push_back(engine_fgd(list));
  policies.push_back(final_waste(learn_waste(list, inputs.fleet, options.learn)));
  return policies;
}

}  // namespace

Result<std::vector<FillRow>> fill_table(const TableOptions& options, const Each<FillRow>& each) {
  const auto inputs = read_inputs(options);
  if (!inputs) return std::unexpected(inputs.error());
  std::vector<FillRow> rows;
  for (const PodList& list : inputs->lists) {
    const auto ceiling = ceiling_of(*inputs, list, options);
    if (!ceiling) return std::unexpected(ceiling.error());
    for (const NamedPolicy& policy : policies_of(*inputs, list, options)) {
      rows.push_back(fill_row(*inputs, list, policy, options));
      rows.back().ceiling = *ceiling;
      if (each) each(rows.back());
    }
  }
  return rows;
}

Result<std::vector<ChurnRow>> churn_table(const TableOptions& options, const Each<ChurnRow>& each) {
  const auto inputs = read_inputs(options);
  if (!inputs) return std::unexpected(inputs.error());
  std::vector<ChurnRow> rows;
  for (const PodList& list : inputs->lists) {
    const ChurnRuns fgd = churn_runs(*inputs, list, published_fgd(list), options);
    for (const NamedPolicy& policy : policies_of(*inputs, list, options)) {
      const ChurnRuns runs = policy.name == "fgd" ? fgd : churn_runs(*inputs, list, policy, options);
      std::vector<double> more;
      for (std::size_t i = 0; i < runs.dropped.size(); ++i) more.push_back(runs.dropped[i] - fgd.dropped[i]);
      rows.push_back({.list = list.name,
                      .policy = policy.name,
                      .dropped = spread_of(runs.dropped),
                      .more_than_fgd = spread_of(more),
                      .multi_accepted = spread_of(runs.multi_accepted)});
      if (each) each(rows.back());
    }
  }
  return rows;
}

}  // namespace ym::sim::placement
