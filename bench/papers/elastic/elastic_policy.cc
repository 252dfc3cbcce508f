#include "papers/elastic/elastic_policy.h"

#include <algorithm>
#include <utility>

namespace ym::sim::elastic {
namespace {

// The progress at which jobs ended, on the mean; by application.
std::vector<std::optional<double>> typical_progress(const Round& round) {
  std::vector<double> sum(round.catalog.size()), jobs(round.catalog.size());
  for (const Job& job : round.jobs) {
    if (!job.end_s) continue;
    sum[job.request.application] += job.progress;
    jobs[job.request.application] += 1;
  }
  std::vector<std::optional<double>> typical(round.catalog.size());
  for (std::size_t i = 0; i < typical.size(); ++i)
    if (jobs[i] > 0) typical[i] = sum[i] / jobs[i];
  return typical;
}

// Of where it lies, in parts of what it were on as few nodes as can be.
double layout_speed(const Job& job, const Application& application, const Cluster& cluster) {
  const Layout packed = packed_layout(job.layout.gpus, cluster.gpus_per_node);
  if (job.allocation.empty() || job.layout == packed) return 1;
  return application.curve(job.layout).goodput[job.epoch] / application.curve(packed).goodput[job.epoch];
}

ElasticOptions unknown(ElasticOptions options) {
  options.estimate.knowledge = Knowledge::unknown;
  options.rank_sharpness = 0.5;
  options.value.foresight = Foresight::present_epoch;
  return options;
}

}  // namespace

ElasticOptions known_profile() { return {.name = "elastic, profile known (A)"}; }

ElasticOptions growth_limited() {
  ElasticOptions options{.name = "elastic, growth limited (B)"};
  options.growth = Growth::doubling;
  options.value.horizon_s = 400;
  return options;
}

ElasticOptions remaining_unknown() { return unknown({.name = "elastic, remaining work unknown (C)"}); }

ElasticOptions remaining_typical() {
  ElasticOptions options = unknown({.name = "elastic, remaining work typical"});
  options.estimate.knowledge = Knowledge::typical;
  options.rank_sharpness = 1;
  return options;
}

ElasticOptions growth_limited_remaining_unknown() {
  ElasticOptions options = unknown(growth_limited());
  options.name = "elastic, growth limited, remaining work unknown (B+C)";
  return options;
}

ElasticPolicy::ElasticPolicy(const Catalog& catalog, ElasticOptions options)
    : options_(std::move(options)), beliefs_(catalog, options_.cluster, options_.all_sizes_up_to, options_.errors) {}

ElasticJob ElasticPolicy::job_of(std::size_t number, const Round& round,
                                 std::optional<double> typical_progress_of_application) const {
  const Job& job = round.jobs[number];
  const Application& application = round.catalog[job.request.application];
  ElasticJob view{.table = &beliefs_.table(number, job),
                  .position = {.epoch = job.epoch, .progress = job.progress},
                  .gpus = job.layout.gpus,
                  .pause_left_s = static_cast<double>(job.pause_left_s),
                  .layout_speed = layout_speed(job, application, options_.cluster),
                  .most_gpus = application.most_gpus(options_.cluster)};
  if (options_.growth == Growth::doubling)
    view.most_gpus = std::min(view.most_gpus, std::max(Count{1}, 2 * job.largest_run));
  view.remaining = remaining_of(*view.table, view.position, options_.estimate, typical_progress_of_application);
  return view;
}

std::vector<ElasticJob> ElasticPolicy::jobs_of(const Round& round) const {
  const auto typical = typical_progress(round);
  std::vector<ElasticJob> jobs;
  std::vector<Remaining> remaining;
  for (const std::size_t number : round.active) {
    jobs.push_back(job_of(number, round, typical[round.jobs[number].request.application]));
    remaining.push_back(jobs.back().remaining);
  }
  const std::vector<double> weight =
      weights(remaining, {.gpus = options_.cluster.gpus(), .rank_sharpness = options_.rank_sharpness});
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].weight = weight[i];
  return jobs;
}

std::vector<Allocation> ElasticPolicy::place(const Round& round, const std::vector<ElasticJob>& jobs,
                                             const std::vector<Count>& sizes) const {
  std::vector<PlacementJob> wishes;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Allocation& held = round.jobs[round.active[i]].allocation;
    wishes.push_back({.held = node_counts(held, options_.cluster.nodes), .wanted = sizes[i], .weight = jobs[i].weight});
  }
  const auto counts = place_with_few_moves(wishes, {.cluster = options_.cluster, .sharing = options_.sharing});
  std::vector<Allocation> plan;
  for (const NodeCounts& one : counts) plan.push_back(allocation_of(one));
  return plan;
}

std::vector<Allocation> ElasticPolicy::plan(const Round& round) {
  for (const std::size_t number : round.active) {
    const Job& job = round.jobs[number];
    beliefs_.observe(number, job, round.catalog[job.request.application]);
  }
  const std::vector<ElasticJob> jobs = jobs_of(round);
  const SizesOptions sizes{.gpus = options_.cluster.gpus(), .growth = options_.growth, .value = options_.value};
  return place(round, jobs, elastic_sizes(jobs, sizes));
}

}  // namespace ym::sim::elastic
