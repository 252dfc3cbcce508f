#include "papers/fairness/traces.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/workload/each_row.h"

namespace ym::sim::fairness {
namespace {

// So that sums of GPU time and what they are compared with do not overflow.
constexpr Micros kMostUs = 1'000'000 * kSecond;
constexpr Micros kMostGpuTimeUs = 10'000'000'000 * kSecond;
constexpr std::size_t kMostJobs = 100'000;

const Columns& columns() {
  static const Columns columns{{"type", 0}, {"steps", 5}, {"gpus", 6}, {"run_s", 10}, {"submit_s", 11}};
  return columns;
}

Job job_of(RowView& row, std::int64_t id, Count most_gpus) {
  Job job{.id = id, .gpus = row.count("gpus", 1), .model = std::string(row.text("type"))};
  job.iterations = row.count("steps", 1);
  job.submit_us = row.duration("submit_s", 1000).ms * 1000;
  job.work_us = row.duration("run_s", 1000).ms * 1000;
  if (job.gpus > most_gpus) row.refuse("gpus", "is more than the cluster has");
  if (job.work_us < kSecond || job.work_us > kMostUs) row.refuse("run_s", "has to be 1 to 1,000,000 s");
  if (job.submit_us > kMostUs) row.refuse("submit_s", "is more than 1,000,000 s");
  return job;
}

double number_in(RowView& row, std::string_view column) {
  const std::string_view text = row.text(column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) row.refuse(column, "is no figure");
  return value;
}

}  // namespace

Result<std::vector<Job>> read_jobs(const std::string& path, Count most_gpus) {
  auto reader = TableReader::open(path);
  if (!reader) return std::unexpected(reader.error());
  std::vector<Job> jobs;
  Micros gpu_time_us = 0;
  for (;;) {
    const auto row = reader->next();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    RowView view(columns(), **row, path);
    if ((*row)->fields.size() != 12) view.refuse("type", "is not followed by 11 columns");
    else jobs.push_back(job_of(view, static_cast<std::int64_t>(jobs.size()), most_gpus));
    if (!view.error()) gpu_time_us += jobs.back().work_us * jobs.back().gpus;
    if (gpu_time_us > kMostGpuTimeUs) view.refuse("run_s", "makes more work than can be reckoned with");
    if (jobs.size() > kMostJobs) view.refuse("type", "is one job too many");
    if (view.error()) return std::unexpected(*view.error());
  }
  std::ranges::sort(jobs, {}, [](const Job& job) { return std::pair(job.submit_us, job.id); });
  return jobs;
}

Result<PublishedTable> read_published(const std::string& path, const std::string& set) {
  PublishedTable table;
  const auto read = for_each_row(path, [&](RowView& row) {
    if (row.text("set") != set || row.text("mode") != "simulation") return;
    table[std::string(row.text("policy"))] = {.makespan_s = number_in(row, "makespan_s"),
                                              .mean_completion_s = number_in(row, "avg_jct_s"),
                                              .worst_rho = number_in(row, "worst_ftf_rho"),
                                              .unfair_share = number_in(row, "unfair_frac_rho_gt_1.05")};
  });
  if (!read) return std::unexpected(read.error());
  return table;
}

}  // namespace ym::sim::fairness
