#include "papers/queueing/engine_run.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/assert.h"
#include "sim/simulate/simulation.h"
#include "sim/workload/row_view.h"

namespace ym::sim::queueing {
namespace {

constexpr const char* kQueue = "default";

Duration ms_of(Micros time_us) { return {time_us / 1000}; }

TraceJob trace_job(const Job& job, JobNumber number, const Deadlines* deadlines, Declared declared) {
  TraceJob made{.line = static_cast<std::int64_t>(number) + 1,
                .id = std::to_string(number),
                .submit_at = trace_epoch() + ms_of(job.submit_us),
                .user = "user",
                .queue = kQueue,
                .gpus = job.gpus,
                .run_time = ms_of(job.work_us)};
  if (declared == Declared::run_time) {
    made.time_limit = made.run_time + seconds(1);
    made.user += made.id;
  }
  if (deadlines && !deadlines->steps.empty()) made.deadline = ms_of(deadlines->steps.back().until_us - job.submit_us);
  return made;
}

Workload workload_of(std::span<const Job> jobs, std::span<const Deadlines> deadlines, Declared declared) {
  std::vector<TraceJob> made;
  for (JobNumber job = 0; job < jobs.size(); ++job)
    made.push_back(trace_job(jobs[job], job, deadlines.empty() ? nullptr : &deadlines[job], declared));
  return Workload::of(std::move(made), "jobs");
}

DesiredState site_of(const ClusterShape& shape, JobOrder order) {
  DesiredState desired{.clusters = {{.name = "lab", .executor = "simulated"}},
                       .queues = {{.name = kQueue, .order = order}}};
  for (Count i = 0; i < shape.nodes; ++i) {
    Node node{.name = fmt::format("n{:03}", i), .cluster = "lab", .gpu_type = "gpu", .cpus = 64 * kMilli};
    for (Count gpu = 0; gpu < shape.gpus_per_node; ++gpu) node.devices.push_back({.id = std::to_string(gpu)});
    desired.nodes.push_back(std::move(node));
  }
  return desired;
}

Outcome outcome_of(const JobRecord& record) {
  const auto us = [](Instant at) { return (at - trace_epoch()).ms * 1000; };
  return {.first_start_us = us(*record.started_at), .end_us = us(record.ended_at), .starts = record.attempts};
}

}  // namespace

Result<std::vector<Outcome>> run_engine(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                                        const EngineOptions& options) {
  YM_ASSERT(deadlines.empty() || deadlines.size() == jobs.size());
  std::vector<Outcome> outcomes(jobs.size());
  auto workload = workload_of(jobs, deadlines, options.declared);
  // Who has used how much decides nothing here; to remember it of a thousand users takes time.
  const PolicySettings settings{.age_cap = options.age_cap, .usage_half_life = minutes(1)};
  SimulationOptions simulation{.site = {.desired = site_of(options.shape, options.order), .settings = settings},
                               .jobs = {.gpus_per_node = options.shape.gpus_per_node, .queues = {kQueue}}};
  const auto end = simulate(workload, std::move(simulation), [&](const JobRecord& record) {
    if (record.started_at) outcomes[std::stoull(record.trace_id)] = outcome_of(record);
  });
  if (!end) return std::unexpected(end.error());
  for (JobNumber job = 0; job < jobs.size(); ++job)
    if (outcomes[job].end_us == kNever)
      return fail(ErrorCode::conflict,
                  fmt::format("job {} did not end ({} refused: {})", jobs[job].id, end->refused, end->first_refusal));
  return outcomes;
}

}  // namespace ym::sim::queueing
