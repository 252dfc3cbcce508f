#include "papers/service/traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "sim/workload/each_row.h"

namespace ym::sim::service {
namespace {

// So that the GPU time of all jobs together does not overflow.
constexpr std::int64_t kMostIterationMs = 100'000;
constexpr Micros kMostWorkUs = 100'000'000 * kSecond;
constexpr Micros kMostGpuTimeUs = 1'000'000'000'000 * kSecond;
constexpr Micros kMostOverheadUs = 86'400 * kSecond;

double seconds_in(RowView& row, std::string_view column) {
  const std::string_view text = row.text(column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) row.refuse(column, "is no time in s");
  return value;
}

Job job_of(RowView& row, const Overheads& overheads, Count most_gpus) {
  Job job{.id = row.count("job_id"), .gpus = row.count("num_gpu", 1), .model = std::string(row.text("model_name"))};
  job.submit_us = row.duration("submit_time", 1).ms * 1000;
  job.iterations = row.count("iterations", 1);
  job.iteration_ms = row.count("iteration_time", 1);
  if (job.gpus > most_gpus) row.refuse("num_gpu", "is more than the cluster has");
  if (job.iteration_ms > kMostIterationMs) row.refuse("iteration_time", "is too large");
  job.work_us = work_us_of(job.iterations, std::min(job.iteration_ms, kMostIterationMs));
  if (job.work_us > kMostWorkUs) row.refuse("iterations", "makes a job of more than three years");
  const auto overhead = overheads.find({job.gpus, job.model});
  job.overhead_us = overhead == overheads.end() ? kOtherOverhead : overhead->second;
  return job;
}

}  // namespace

Result<Overheads> read_overheads(const std::string& path) {
  Overheads overheads;
  const auto read = for_each_row(path, [&](RowView& row) {
    const std::pair key{row.count("num_gpu", 1), std::string(row.text("model_name"))};
    const Micros overhead_us = row.duration("overhead_s", 1000).ms * 1000;
    if (overhead_us > kMostOverheadUs) row.refuse("overhead_s", "is more than a day");
    overheads[key] = overhead_us;
  });
  if (!read) return std::unexpected(read.error());
  return overheads;
}

Result<std::vector<Job>> read_jobs(const std::string& path, const Overheads& overheads, Count most_gpus) {
  std::vector<Job> jobs;
  Micros gpu_time_us = 0;
  const auto read = for_each_row(path, [&](RowView& row) {
    jobs.push_back(job_of(row, overheads, most_gpus));
    if (!row.error()) gpu_time_us += jobs.back().work_us * jobs.back().gpus;
    if (gpu_time_us > kMostGpuTimeUs) row.refuse("iterations", "makes more work than can be reckoned with");
  });
  if (!read) return std::unexpected(read.error());
  std::ranges::sort(jobs, {}, [](const Job& job) { return std::pair(job.submit_us, job.id); });
  return jobs;
}

Result<PublishedTable> read_published(const std::string& path) {
  PublishedTable table;
  const auto read = for_each_row(path, [&](RowView& row) {
    table[{std::string(row.text("policy")), std::string(row.text("trace"))}] = {
        .mean_completion_s = seconds_in(row, "avg_jct_s"),
        .makespan_s = seconds_in(row, "makespan_s"),
        .p99_completion_s = seconds_in(row, "p99_jct_s")};
  });
  if (!read) return std::unexpected(read.error());
  return table;
}

std::optional<std::string> table_path(const std::string& folder, const std::string& name) {
  for (const std::string_view suffix : {".csv", ".csv.gz"}) {
    std::string path = fmt::format("{}/{}{}", folder, name, suffix);
    if (std::filesystem::exists(path)) return path;
  }
  return std::nullopt;
}

}  // namespace ym::sim::service
