#include "study/capacity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>
#include <ranges>

#include "sim/demand/capacity.h"
#include "sim/demand/day_forecast.h"
#include "sim/demand/growth.h"
#include "study/rounded.h"
#include "study/runs.h"

namespace ym::study {
namespace {

namespace json = boost::json;

constexpr double kMicros = 1e6;

Duration seconds_of(const json::value& value) { return {std::llround(value.to_number<double>() * 1000)}; }

// A flavor of a cluster whose number of nodes can vary.
struct Growing {
  Flavor flavor;
  Node node;  // like the first node of the flavor
  std::int64_t nodes = 0;

  sim::NodeFlavor shape(double price) const {
    return {.name = flavor.name,
            .gpus = static_cast<std::int64_t>(node.devices.size()),
            .price_per_gpu_hour = price > 0 ? price : static_cast<double>(flavor.price_micros_per_gpu_hour) / kMicros};
  }
};

Result<Flavor> flavor_of(const sim::SiteOptions& site, const std::string& name) {
  auto flavors = site.desired.flavors;
  if (flavors.empty()) flavors.push_back({.name = std::string(kDefaultFlavor)});
  if (name.empty() && flavors.size() == 1) return flavors.front();
  const auto found = std::ranges::find(flavors, name, &Flavor::name);
  if (found != flavors.end()) return *found;
  const auto names = fmt::format("{}", fmt::join(flavors | std::views::transform(&Flavor::name), ", "));
  if (name.empty())
    return fail(ErrorCode::invalid, fmt::format("--flavor: there are several flavors; name one of {}", names));
  return fail(ErrorCode::invalid, fmt::format("--flavor: there is no flavor '{}'; name one of {}", name, names));
}

Result<Growing> growing_of(const sim::SiteOptions& site, const std::string& name) {
  const auto flavor = flavor_of(site, name);
  if (!flavor) return std::unexpected(flavor.error());
  Growing growing{.flavor = *flavor, .node = {}};
  for (const auto& node : site.desired.nodes) {
    if (!flavor->matches(node)) continue;
    if (growing.nodes++ == 0) growing.node = node;
  }
  if (growing.nodes == 0)
    return fail(ErrorCode::invalid,
                fmt::format("the flavor '{}' has no nodes, so the nodes to add are not known; write "
                            "one into the cluster's file",
                            flavor->name));
  if (growing.node.devices.empty())
    return fail(ErrorCode::invalid,
                fmt::format("the first node of the flavor '{}' has no GPUs, and the nodes to add are "
                            "like it; name a flavor of nodes with GPUs",
                            flavor->name));
  return growing;
}

// Quota grows with the number of nodes. Otherwise the added nodes would stay idle.
void scale_quota(Queue& queue, const std::string& flavor, std::int64_t nodes, std::int64_t before) {
  if (!queue.quota || !queue.quota->contains(flavor)) return;
  const auto scaled = [&](std::int64_t amount) { return amount / before * nodes + amount % before * nodes / before; };
  for (auto& quota : (*queue.quota)[flavor]) {
    if (!quota) continue;
    quota->nominal = scaled(quota->nominal);
    if (quota->borrowing_limit) quota->borrowing_limit = scaled(*quota->borrowing_limit);
    if (quota->lending_limit) quota->lending_limit = scaled(*quota->lending_limit);
  }
}

Candidate with_nodes(const Candidate& base, const Growing& growing, std::int64_t nodes) {
  Candidate candidate = base;
  candidate.name = fmt::format("{} nodes", nodes);
  auto& desired = candidate.site.desired;
  std::erase_if(desired.nodes, [&](const Node& node) { return growing.flavor.matches(node); });
  for (std::int64_t i = 1; i <= nodes; ++i) {
    desired.nodes.push_back(growing.node);
    desired.nodes.back().name = fmt::format("{}-{:05}", growing.node.name, i);
  }
  for (auto& queue : desired.queues) scale_quota(queue, growing.flavor.name, nodes, growing.nodes);
  return candidate;
}

json::object to_json(const sim::CapacityRun& run, const sim::NodeFlavor& flavor) {
  return {{"nodes", run.nodes},
          {"gpus", run.nodes * flavor.gpus},
          {"wait_mean_seconds", static_cast<double>(run.mean_wait.ms) / 1000},
          {"wait_p90_seconds", static_cast<double>(run.p90_wait.ms) / 1000},
          {"utilisation", rounded(run.utilisation)},
          {"price_per_hour", rounded(sim::price_per_hour(flavor, run.nodes))}};
}

// Mean number of GPUs in use on each day, if all jobs started at their submit.
Result<std::string> outgrown(const std::vector<sim::PastJob>& jobs, double bearable_gpus) {
  auto days = sim::days_after(jobs);
  const auto when = sim::when_outgrown(days.gpus_in_use_by_day(jobs.back().submit_at), {.gpus = bearable_gpus});
  if (!when) return std::unexpected(when.error());
  return sim::in_words(*when);
}

class Planner {
 public:
  Planner(const CapacityOptions& options, Study& study, Candidate base, Growing growing, std::vector<sim::PastJob> jobs)
      : options_(options),
        study_(study),
        base_(std::move(base)),
        growing_(std::move(growing)),
        flavor_(growing_.shape(options.price)),
        jobs_(std::move(jobs)) {}

  Result<json::object> plan() {
    const auto now = simulate(growing_.nodes);
    if (!now) return std::unexpected(now.error());
    report_ = {{"flavor", flavor_.name}, {"present", to_json(*now, flavor_)}};
    if (auto done = add_goal(); !done) return std::unexpected(done.error());
    if (auto done = add_budget(); !done) return std::unexpected(done.error());
    const auto gpus = static_cast<double>(growing_.nodes * flavor_.gpus);
    const auto when = outgrown(jobs_, gpus * options_.bearable);
    report_["outgrown"] = when ? json::value(*when) : json::value(nullptr);
    return std::move(report_);
  }

 private:
  Result<sim::CapacityRun> simulate(std::int64_t nodes) {
    const auto runs = runs_of(study_, with_nodes(base_, growing_, nodes));
    if (!runs) return std::unexpected(runs.error());
    const auto figures = figures_of(*runs);
    const auto& waits = figures.at("all").at("wait_seconds");
    return sim::CapacityRun{.nodes = nodes,
                            .mean_wait = seconds_of(waits.at("mean")),
                            .p90_wait = seconds_of(waits.at("p90")),
                            .utilisation = figures.at("utilisation").to_number<double>()};
  }

  sim::SimulateNodes simulation() {
    return [this](const sim::NodeFlavor&, std::int64_t nodes) { return simulate(nodes); };
  }

  Result<void> add_goal() {
    const sim::CapacityGoal goal{.mean_wait_at_most = options_.mean_wait,
                                 .p90_wait_at_most = options_.p90_wait,
                                 .utilisation_at_most = options_.utilisation};
    if (!goal.mean_wait_at_most && !goal.p90_wait_at_most && !goal.utilisation_at_most) return {};
    const auto answer = sim::nodes_needed(flavor_, goal, simulation(),
                                          {.first_guess = sim::nodes_for_mean_demand(flavor_, jobs_),
                                           .least = sim::nodes_for_largest_job(flavor_, jobs_)});
    if (!answer) return std::unexpected(answer.error());
    json::array tried;
    for (const auto& run : answer->tried) tried.push_back(to_json(run, flavor_));
    report_["tried"] = std::move(tried);
    report_["enough"] = answer->enough ? json::value(to_json(*answer->enough, flavor_)) : json::value(nullptr);
    report_["exact"] = answer->exact;
    return {};
  }

  Result<void> add_budget() {
    if (options_.budget <= 0) return {};
    const auto bought =
        sim::what_budget_buys(flavor_, {.amount = options_.budget, .period = options_.budget_for}, simulation());
    if (!bought) return std::unexpected(bought.error());
    report_["budget_buys"] = *bought ? json::value(to_json(**bought, flavor_)) : json::value(nullptr);
    return {};
  }

  const CapacityOptions& options_;
  Study& study_;
  Candidate base_;
  Growing growing_;
  sim::NodeFlavor flavor_;
  std::vector<sim::PastJob> jobs_;
  json::object report_;
};

}  // namespace

Result<json::object> capacity(const CapacityOptions& options, const Listener& listener) {
  auto candidates = candidates_of(options.simulate, listener);
  if (!candidates) return std::unexpected(candidates.error());
  auto growing = growing_of(candidates->front().site, options.flavor);
  if (!growing) return std::unexpected(growing.error());
  auto workload = workload_of(options.simulate);
  if (!workload) return std::unexpected(workload.error());
  auto jobs = sim::past_jobs(*workload);
  if (!jobs) return std::unexpected(jobs.error());
  Study study{.options = options.simulate, .listener = listener};
  return Planner(options, study, std::move(candidates->front()), std::move(*growing), std::move(*jobs)).plan();
}

}  // namespace ym::study
