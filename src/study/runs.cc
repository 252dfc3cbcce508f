#include "study/runs.h"

#include <utility>

#include "sim/report/accuracy_json.h"
#include "sim/report/over_seeds.h"
#include "sim/report/report_json.h"
#include "sim/simulate/reactions.h"
#include "sim/simulate/simulation.h"
#include "sim/workload/resample.h"

namespace ym::study {
namespace {

sim::Workload workload_of(const std::vector<RecordedJob>& history) {
  std::vector<sim::TraceJob> jobs;
  for (const auto& recorded : history)
    jobs.push_back({.line = static_cast<std::int64_t>(jobs.size() + 1),
                    .id = recorded.id,
                    .submit_at = recorded.submitted_at,
                    .user = recorded.owner,
                    .queue = recorded.spec.queue,
                    .gpus = recorded.spec.total()[ResourceKind::gpus] / kMilli,
                    .run_time = recorded.run_time,
                    .fails = recorded.failed,
                    .spec = std::make_shared<const JobSpec>(recorded.spec)});
  return sim::Workload::of(std::move(jobs), "history");
}

// The figures of one policy. Nothing: the workload is not a recorded history.
std::optional<sim::Reactions> reactions_of(const SimulateOptions& options) {
  if (!options.history) return std::nullopt;
  std::vector<sim::Reactions::Recorded> jobs;
  for (const auto& job : *options.history) jobs.push_back({job.id, job.owner, job.submitted_at, job.ended_at});
  return sim::Reactions(jobs);
}

Result<boost::json::object> run(Study& study, const Candidate& candidate, std::int32_t seed, sim::Workload workload) {
  study.format = workload.format();
  sim::SimulationOptions simulation{.site = candidate.site,
                                    .jobs = rules_of(study.options, candidate.site),
                                    .until = study.options.until,
                                    .forecasts_every = study.options.forecasts_every};
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
        study.listener.progress({.policy = candidate.name,
                                 .seed = seed,
                                 .now = progress.now,
                                 .submitted = progress.submitted,
                                 .ended = progress.ended,
                                 .live = progress.live,
                                 .share = progress.share});
      });
  if (!end) return std::unexpected(end.error());
  auto figures = sim::to_json(*end, summary);
  if (study.options.forecasts_every.ms > 0) figures["start_forecasts"] = sim::to_json(sim::accuracy_of(end->forecasts));
  if (reactions) figures["reactions"] = boost::json::object{{"all", reactions->all()}, {"moved", reactions->moved()}};
  if (!study.options.page.empty()) sim::add_timeline(figures, *end, summary);
  auto rows = std::exchange(study.rows, std::nullopt);
  if (auto closed = rows ? rows->close() : Result<void>(); !closed) return std::unexpected(closed.error());
  return figures;
}

}  // namespace

Result<sim::Workload> workload_of(const SimulateOptions& options) {
  if (options.history) return workload_of(*options.history);
  return sim::Workload::open({.path = options.workload, .format = options.format});
}

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
  const auto jobs = sim::rest_of(*workload);
  if (!jobs) return std::unexpected(jobs.error());
  for (std::int32_t seed = 1; seed <= study.options.seeds; ++seed) {
    auto again =
        sim::Workload::of(sim::resampled(*jobs, static_cast<std::uint64_t>(seed)), format, workload->remarks());
    auto figures = run(study, candidate, seed, std::move(again));
    if (!figures) return std::unexpected(figures.error());
    runs.push_back(std::move(*figures));
  }
  return runs;
}

boost::json::object figures_of(const boost::json::array& runs) {
  return runs.size() == 1 ? runs.front().as_object() : sim::over_seeds(runs);
}

}  // namespace ym::study
