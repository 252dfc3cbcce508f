#include "sim/workload/published_rows.h"

#include <fmt/format.h>

namespace ym::sim {
namespace {

TraceJob job_of(const RowView& row) { return {.line = row.line()}; }

// Longer than the time from the first to the last event of the pods with times.
constexpr Duration kUntimedStay = hours(150 * 24);

TraceJob pod_of(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("name");
  job.gpus = row.count("num_gpu");
  if (job.gpus == 1) job.gpu_milli = static_cast<std::int32_t>(row.count("gpu_milli", 1));
  job.cpu_milli = row.count("cpu_milli");
  job.memory_mib = row.count("memory_mib");
  job.gpu_types = row.text("gpu_spec");
  job.nodes = 1;
  return job;
}

}  // namespace

std::optional<TraceJob> read_philly(RowView& row) {
  TraceJob job = job_of(row);
  job.submit_at = row.instant("timestamp");
  job.run_time = row.duration("duration", 1000);
  job.gpus = row.count("num_gpus", 1);
  job.queue = job.user = row.text("cluster");
  return job;
}

std::optional<TraceJob> read_muri(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.submit_at = trace_epoch() + row.duration("submit_time", 1);
  job.gpus = row.count("num_gpu", 1);
  // The simulator behind the published results lets an iteration last 1.5 % longer than its `iteration_time`.
  const auto iterations = row.count("iterations"), each = row.count("iteration_time");
  if (iterations > 0 && each > 10'000'000'000 / iterations) row.refuse("iterations", "is too many");
  else job.run_time = Duration{iterations * each * 1015 / 1000};
  return job;
}

std::optional<TraceJob> read_chronus(RowView& row) {
  constexpr std::int64_t kMinute = 60'000;
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.user = job.queue = row.text("user");
  job.submit_at = trace_epoch() + row.duration("submit_time", kMinute);
  job.run_time = row.duration("duration", kMinute);
  job.gpus = row.count("num_gpu");
  // The last of several times: all of the job's value is lost then.
  const auto times = row.text("expect_time_list");
  if (row.text("best_effort") == "1" || times.empty()) return job;
  const auto last = times.substr(times.rfind('-') == std::string_view::npos ? 0 : times.rfind('-') + 1);
  job.deadline = row.duration_of(last, "expect_time_list", kMinute);
  return job;
}

std::optional<TraceJob> read_helios(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.user = row.text("user");
  job.queue = row.text("vc");
  job.submit_at = trace_epoch() + row.duration("submit_s", 1000);
  job.run_time = row.duration("duration_s", 1000);
  job.gpus = row.count("gpu_num");
  job.nodes = static_cast<std::int32_t>(row.count("node_num"));
  job.fails = row.text("state") == "FAILED";
  return job;
}

std::optional<TraceJob> read_kalos(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.submit_at = trace_epoch() + row.duration("submit_s", 1000);
  job.run_time = row.duration("duration_s", 1000);
  job.gpus = row.count("num_gpus", 1);
  job.nodes = static_cast<std::int32_t>(row.count("num_nodes", 1));
  return job;
}

std::optional<TraceJob> read_openb(RowView& row) {
  TraceJob job = pod_of(row);
  job.submit_at = trace_epoch() + row.duration("creation_time", 1000);
  const auto end = trace_epoch() + row.duration("deletion_time", 1000);
  if (end < job.submit_at) row.refuse("deletion_time", "is before creation_time");
  job.run_time = end - job.submit_at;
  return job;
}

std::optional<TraceJob> read_openb_untimed(RowView& row) {
  constexpr std::int64_t kFirstLine = 2;
  TraceJob job = pod_of(row);
  job.submit_at = trace_epoch() + seconds(row.line() - kFirstLine);
  job.run_time = kUntimedStay;
  if (row.has("creation_time")) row.refuse("creation_time", "has no deletion_time beside it");
  return job;
}

std::optional<TraceJob> read_shockwave(RowView& row) {
  TraceJob job = job_of(row);
  job.submit_at = trace_epoch() + row.duration("arrival", 1000);
  job.run_time = row.duration("duration", 1000);
  job.gpus = row.count("scale_factor", 1);
  return job;
}

std::optional<TraceJob> read_gavel(RowView& row, const GavelSpeeds& speeds) {
  TraceJob job = job_of(row);
  job.submit_at = trace_epoch() + row.duration("arrival", 1000);
  job.gpus = row.count("scale_factor", 1);
  const auto steps = static_cast<double>(row.count("total_steps"));
  if (const auto speed = speeds.of(row.text("job_type"), job.gpus))
    job.run_time = row.seconds_for("total_steps", steps / *speed);
  else row.refuse("job_type", fmt::format("has no speed on {} GPUs or fewer in {}", job.gpus, speeds.path()));
  return job;
}

std::optional<TraceJob> read_pollux(RowView& row, const PolluxSpeeds& speeds) {
  TraceJob job = job_of(row);
  job.id = row.text("name");
  job.submit_at = trace_epoch() + row.duration("time", 1000);
  job.gpus = row.count("num_replicas", 1);
  const auto application = row.text("application");
  const auto batch = row.count("batch_size", 1);
  const auto iterations = speeds.iterations(application, batch);
  const auto each_s = speeds.iteration_s(application, job.gpus, batch);
  if (!speeds.knows(application)) row.refuse("application", "is not one of those in " + speeds.folder());
  if (!iterations)
    row.refuse("batch_size", fmt::format("is not a batch of {}/{}/validation-*", speeds.folder(), application));
  if (!each_s) row.refuse("num_replicas", fmt::format("was not measured for {} with this batch", application));
  if (iterations && each_s) job.run_time = row.seconds_for("batch_size", *iterations * *each_s);
  return job;
}

}  // namespace ym::sim
