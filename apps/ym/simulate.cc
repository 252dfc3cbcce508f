#include "simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "configuration_file.h"
#include "history_of_state.h"
#include "logging.h"
#include "sim/report/job_rows.h"
#include "sim/report/over_seeds.h"
#include "sim/report/page.h"
#include "sim/report/report_json.h"
#include "sim/simulate/reactions.h"
#include "sim/simulate/simulation.h"
#include "sim/workload/resample.h"

namespace ym {
namespace {

// A policy as it is tried: what the cluster's file says, with what the policy's file says instead.
struct Candidate {
  std::string name;
  sim::SiteOptions site;
};

Result<sim::SiteOptions> site_of(const Configuration& configuration, const std::string& path) {
  sim::SiteOptions site{
      .settings = configuration.settings, .base = {.waste_table = configuration.waste_table}, .begin = {}};
  site.desired = {.flavors = configuration.flavors, .queues = configuration.queues};
  for (const auto& cluster : configuration.clusters) {
    if (cluster.discover)
      return fail(ErrorCode::invalid,
                  fmt::format("{}: cluster '{}' does not say its nodes; write `nodes:`, for example "
                              "- {{names: \"n[1-8]\", gpus: \"a100:8\"}}",
                              path, cluster.cluster.name));
    site.desired.clusters.push_back(cluster.cluster);
    site.desired.nodes.insert(site.desired.nodes.end(), cluster.nodes.begin(), cluster.nodes.end());
  }
  return site;
}

// Quota of flavors that the cluster has not would be for nothing.
Result<void> check_flavors(const sim::SiteOptions& site, const QueueDocument& document, const std::string& path) {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::find(site.desired.flavors, name, &Flavor::name) != site.desired.flavors.end() ||
           (site.desired.flavors.empty() && name == kDefaultFlavor);
  };
  for (std::size_t i = 0; i < document.queues.size(); ++i) {
    if (!document.queues[i].quota) continue;
    for (const auto& [flavor, quota] : *document.queues[i].quota)
      if (!is_there(flavor))
        return fail(ErrorCode::invalid, fmt::format("{}: {}/quota/{}: there is no flavor '{}' in the cluster's file",
                                                    path, document.pointers[i], flavor, flavor));
  }
  return {};
}

Result<void> put_on(sim::SiteOptions& site, const std::string& path) {
  auto policy = load_policy(path);
  if (!policy) return std::unexpected(policy.error());
  if (!policy->waste_table_file.empty())
    return fail(ErrorCode::invalid, fmt::format("{}: a waste table is named in the cluster's file", path));
  if (auto checked = check_flavors(site, policy->queues, path); !checked) return checked;
  if (!policy->queues.queues.empty()) site.desired.queues = std::move(policy->queues.queues);
  site.settings = policy->whole ? policy->settings : over(policy->settings, site.settings);
  return {};
}

Result<std::vector<Candidate>> candidates_of(const SimulateOptions& options) {
  const auto configuration = load_configuration(options.cluster);
  if (!configuration) return std::unexpected(configuration.error());
  auto site = site_of(*configuration, options.cluster);
  if (!site) return std::unexpected(site.error());
  if (options.policies.empty())
    return std::vector{Candidate{std::filesystem::path(options.cluster).filename(), std::move(*site)}};
  std::vector<Candidate> candidates;
  for (const auto& path : options.policies) {
    Candidate candidate{std::filesystem::path(path).filename(), *site};
    if (auto put = put_on(candidate.site, path); !put) return std::unexpected(put.error());
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

sim::JobRules rules_of(const SimulateOptions& options, const sim::SiteOptions& site) {
  sim::JobRules rules{.grace = options.grace, .checkpoints = options.checkpoints, .start_time = options.start_time};
  rules.gpus_per_node = 1;
  for (const auto& node : site.desired.nodes)
    rules.gpus_per_node = std::max(rules.gpus_per_node, static_cast<std::int64_t>(node.devices.size()));
  for (const auto& queue : site.desired.queues) rules.queues.insert(queue.name);
  for (const auto& queue : site.desired.queues) rules.queues.erase(queue.parent);  // cohorts take no jobs
  return rules;
}

sim::Workload workload_of(const std::vector<RecordedJob>& history) {
  std::vector<sim::TraceJob> jobs;
  for (const auto& recorded : history)
    jobs.push_back({.line = static_cast<std::int64_t>(jobs.size() + 1),
                    .id = recorded.id,
                    .submit_at = recorded.submitted_at,
                    .user = recorded.owner,
                    .run_time = recorded.run_time,
                    .fails = recorded.failed,
                    .spec = std::make_shared<const JobSpec>(recorded.spec)});
  return sim::Workload::of(std::move(jobs), "history");
}

// What all simulations of a call have in common.
struct Study {
  const SimulateOptions& options;
  const OnSimulateProgress& on_progress;
  std::optional<sim::JobRows> rows;  // of the first simulation alone
  std::string format;
};

// Of one policy; nothing where that is no recorded history.
std::optional<sim::Reactions> reactions_of(const SimulateOptions& options) {
  if (!options.history) return std::nullopt;
  std::vector<sim::Reactions::Recorded> jobs;
  for (const auto& job : *options.history) jobs.push_back({job.id, job.owner, job.submitted_at, job.ended_at});
  return sim::Reactions(jobs);
}

Result<sim::Workload> workload_of(const SimulateOptions& options) {
  if (options.history) return workload_of(*options.history);
  return sim::Workload::open({.path = options.workload, .format = options.format});
}

Result<boost::json::object> run(Study& study, const Candidate& candidate, std::int32_t seed, sim::Workload workload) {
  study.format = workload.format();
  sim::SimulationOptions simulation{
      .site = candidate.site, .jobs = rules_of(study.options, candidate.site), .until = study.options.until};
  sim::Summary summary;
  auto reactions = study.options.seeds == 1 ? reactions_of(study.options) : std::nullopt;
  const auto end = sim::simulate(
      workload, std::move(simulation),
      [&](const sim::JobRecord& record) {
        summary.add(record);
        if (reactions) reactions->add(record);
        if (study.rows) study.rows->add(record);
      },
      [&](const sim::SimulationProgress& progress) {
        study.on_progress({.policy = candidate.name,
                           .seed = seed,
                           .now = progress.now,
                           .submitted = progress.submitted,
                           .ended = progress.ended,
                           .live = progress.live,
                           .share = progress.share});
      });
  if (!end) return std::unexpected(end.error());
  auto figures = sim::to_json(*end, summary);
  if (reactions) figures["reactions"] = boost::json::object{{"all", reactions->all()}, {"moved", reactions->moved()}};
  if (!study.options.page.empty()) sim::add_timeline(figures, *end, summary);
  auto rows = std::exchange(study.rows, std::nullopt);
  if (auto closed = rows ? rows->close() : Result<void>(); !closed) return std::unexpected(closed.error());
  return figures;
}

Result<std::vector<sim::TraceJob>> read_all(sim::Workload workload) {
  std::vector<sim::TraceJob> jobs;
  for (;;) {
    auto job = workload.next();
    if (!job) return std::unexpected(job.error());
    if (!*job) return jobs;
    jobs.push_back(std::move(**job));
  }
}

// A run for each seed; one alone is of the workload itself.
Result<boost::json::array> runs_of(Study& study, const Candidate& candidate) {
  auto workload = workload_of(study.options);
  if (!workload) return std::unexpected(workload.error());
  boost::json::array runs;
  if (study.options.seeds == 1) {
    auto figures = run(study, candidate, 1, std::move(*workload));
    if (!figures) return std::unexpected(figures.error());
    runs.push_back(std::move(*figures));
    return runs;
  }
  const std::string format = workload->format();
  const auto jobs = read_all(std::move(*workload));
  if (!jobs) return std::unexpected(jobs.error());
  for (std::int32_t seed = 1; seed <= study.options.seeds; ++seed) {
    auto again = sim::Workload::of(sim::resampled(*jobs, static_cast<std::uint64_t>(seed)), format);
    auto figures = run(study, candidate, seed, std::move(again));
    if (!figures) return std::unexpected(figures.error());
    runs.push_back(std::move(*figures));
  }
  return runs;
}

Result<boost::json::array> compare(Study& study, const std::vector<Candidate>& candidates) {
  boost::json::array policies, first;
  for (const auto& candidate : candidates) {
    auto runs = runs_of(study, candidate);
    if (!runs) return std::unexpected(runs.error());
    const bool alone = runs->size() == 1;
    boost::json::object figures = alone ? runs->front().as_object() : sim::over_seeds(*runs);
    figures["policy"] = candidate.name;
    if (!alone && !first.empty()) figures["difference_to_first"] = sim::difference(*runs, first);
    policies.push_back(std::move(figures));
    if (first.empty()) first = std::move(*runs);
  }
  return policies;
}

}  // namespace

Result<boost::json::object> simulate(const SimulateOptions& asked, const OnSimulateProgress& on_progress) {
  set_up_logging("error", "text");
  SimulateOptions options = asked;
  if (!options.state.empty()) {
    auto jobs = history_of_state(options.state, options.since);
    if (!jobs) return fail(ErrorCode::invalid, jobs.error().message);
    options.history = std::move(*jobs);
  }
  const auto candidates = candidates_of(options);
  if (!candidates) return std::unexpected(candidates.error());
  Study study{.options = options, .on_progress = on_progress, .rows = std::nullopt, .format = {}};
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
    for (const auto* only_shown : {"timeline", "wait_quantiles"}) policy.as_object().erase(only_shown);
  return report;
}

}  // namespace ym
