#include "papers/queueing/traces.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "sim/workload/each_row.h"
#include "sim/workload/workload.h"

namespace ym::sim::queueing {
namespace {

// Nodes of eight GPUs, as the notebooks of Helios' artifact have them.
const std::map<std::string, Count, std::less<>>& published_nodes() {
  static const std::map<std::string, Count, std::less<>> nodes{
      {"6214e9", 64}, {"7f04ca", 32}, {"11cb48", 16}, {"b436b2", 64}, {"ee9e8c", 64}, {"e13805", 16},
      {"6c71a0", 32}, {"2869ce", 16}, {"ed69ec", 8},  {"103959", 8},  {"0e4a51", 32}};
  return nodes;
}

Micros us_of(Duration duration) { return duration.ms * 1000; }

Result<std::vector<TraceJob>> read_all(const std::string& path, const std::string& format) {
  auto workload = Workload::open({.path = path, .format = format});
  if (!workload) return std::unexpected(workload.error());
  return sim::read_all(std::move(*workload));
}

Job job_of(const TraceJob& read, Instant begin) {
  return {.id = read.line,
          .gpus = read.gpus,
          .submit_us = us_of(read.submit_at - begin),
          .work_us = std::max<Micros>(1, us_of(read.run_time))};
}

Count nodes_of(const std::vector<Job>& jobs, Count published, Count scale) {
  const Count per_node = ClusterShape{}.gpus_per_node;
  const Count largest = std::ranges::max(jobs, {}, &Job::gpus).gpus;
  return std::max((published + scale - 1) / scale, (largest + per_node - 1) / per_node);
}

JobKind kind_in(RowView& row) {
  const auto kind = row.text("job_type");
  if (kind == "strict") return JobKind::strict;
  if (kind == "soft") return JobKind::soft;
  if (kind != "best") row.refuse("job_type", "is no kind of job");
  return JobKind::best_effort;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find('-');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Deadlines deadlines_in(RowView& row, Micros submit_us) {
  Deadlines deadlines{.kind = kind_in(row)};
  if (deadlines.kind == JobKind::best_effort) return deadlines;
  const auto times = parts_of(row.text("expect_time_list")), values = parts_of(row.text("expect_value_list"));
  if (times.size() != values.size()) row.refuse("expect_value_list", "has another length than expect_time_list");
  if (times.size() != 1 && deadlines.kind == JobKind::strict) row.refuse("expect_time_list", "is more than one time");
  for (std::size_t i = 0; i < std::min(times.size(), values.size()); ++i) {
    DeadlineStep step{.until_us = submit_us + us_of(row.duration_of(times[i], "expect_time_list", 60'000))};
    const auto [end, error] = std::from_chars(values[i].data(), values[i].data() + values[i].size(), step.value);
    if (error != std::errc() || end != values[i].data() + values[i].size() || !(step.value > 0 && step.value <= 1e6))
      row.refuse("expect_value_list", "is no list of values");
    if (i > 0 && (step.until_us <= deadlines.steps.back().until_us || step.value >= deadlines.steps.back().value))
      row.refuse("expect_time_list", "does not rise while values fall");
    deadlines.steps.push_back(step);
  }
  return deadlines;
}

void sort_from_zero(JobsWithDeadlines& read) {
  std::vector<JobNumber> order(read.jobs.size());
  std::iota(order.begin(), order.end(), JobNumber{0});
  std::ranges::sort(order, {}, [&](JobNumber job) { return std::tuple(read.jobs[job].submit_us, job); });
  JobsWithDeadlines sorted{.left_out = read.left_out};
  const Micros begin_us = order.empty() ? 0 : read.jobs[order.front()].submit_us;
  for (const JobNumber job : order) {
    sorted.jobs.push_back(std::move(read.jobs[job]));
    sorted.jobs.back().submit_us -= begin_us;
    sorted.deadlines.push_back(std::move(read.deadlines[job]));
    for (DeadlineStep& step : sorted.deadlines.back().steps) step.until_us -= begin_us;
  }
  read = std::move(sorted);
}

}  // namespace

Result<VirtualClusters> read_philly(const std::string& path, Count scale) {
  const auto read = read_all(path, "philly");
  if (!read) return std::unexpected(read.error());
  VirtualClusters all;
  std::map<std::string, std::pair<Instant, std::vector<Job>>> by_name;
  for (const TraceJob& one : *read) {
    if (!published_nodes().contains(one.queue)) {
      ++all.left_out;
      continue;
    }
    auto& [begin, jobs] = by_name.try_emplace(one.queue, one.submit_at, std::vector<Job>{}).first->second;
    jobs.push_back(job_of(one, begin));
  }
  for (auto& [name, cluster] : by_name) {
    const Count nodes = nodes_of(cluster.second, published_nodes().at(name), scale);
    all.clusters.push_back({.name = name, .shape = {.nodes = nodes}, .jobs = std::move(cluster.second)});
  }
  return all;
}

Result<std::vector<Job>> read_kalos(const std::string& path, Count faster) {
  const auto read = read_all(path, "kalos");
  if (!read) return std::unexpected(read.error());
  std::vector<Job> jobs;
  for (const TraceJob& one : *read) {
    jobs.push_back(job_of(one, read->front().submit_at));
    jobs.back().submit_us /= faster;
  }
  return jobs;
}

Result<JobsWithDeadlines> read_chronus(const std::string& path) {
  JobsWithDeadlines all;
  const auto read = for_each_row(path, [&](RowView& row) {
    const Count gpus = row.count("num_gpu");
    if (gpus == 0) {
      ++all.left_out;
      return;
    }
    const Micros submit_us = us_of(row.duration("submit_time", 60'000));
    all.jobs.push_back({.id = row.count("job_id"),
                        .gpus = gpus,
                        .submit_us = submit_us,
                        .work_us = std::max<Micros>(1, us_of(row.duration("duration", 60'000)))});
    all.deadlines.push_back(deadlines_in(row, submit_us));
  });
  if (!read) return std::unexpected(read.error());
  sort_from_zero(all);
  return all;
}

}  // namespace ym::sim::queueing
