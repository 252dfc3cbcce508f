#include "study/simulate.h"

#include <boost/json/array.hpp>
#include <utility>

#include "sim/report/over_seeds.h"
#include "sim/report/page.h"
#include "study/runs.h"

namespace ym::study {
namespace {

Result<boost::json::array> compare(Study& study, const std::vector<Candidate>& candidates) {
  boost::json::array policies, first;
  for (const auto& candidate : candidates) {
    auto runs = runs_of(study, candidate);
    if (!runs) return std::unexpected(runs.error());
    const bool alone = runs->size() == 1;
    boost::json::object figures = figures_of(*runs);
    figures["policy"] = candidate.name;
    if (!alone && !first.empty()) figures["difference_to_first"] = sim::difference(*runs, first);
    policies.push_back(std::move(figures));
    if (first.empty()) first = std::move(*runs);
  }
  return policies;
}

}  // namespace

Result<boost::json::object> simulate(const SimulateOptions& options, const Listener& listener) {
  const auto candidates = candidates_of(options, listener);
  if (!candidates) return std::unexpected(candidates.error());
  Study study{.options = options, .listener = listener};
  if (!options.jobs_csv.empty()) {
    auto created = sim::JobRows::create(options.jobs_csv);
    if (!created) return std::unexpected(created.error());
    study.rows = std::move(*created);
  }
  auto policies = compare(study, *candidates);
  if (!policies) return std::unexpected(policies.error());
  boost::json::object report{{"workload", options.workload},
                             {"format", study.format},
                             {"seeds", options.seeds},
                             {"policies", std::move(*policies)}};
  if (options.page.empty()) return report;
  if (auto written = sim::write_page(options.page, report); !written) return std::unexpected(written.error());
  for (auto& policy : report["policies"].as_array())
    for (const auto* only_shown : {"timeline", "wait_quantiles", "completion_quantiles"})
      policy.as_object().erase(only_shown);
  return report;
}

}  // namespace ym::study
