#include "sim/workload/trace_formats.h"

#include <algorithm>
#include <array>

#include "sim/workload/sacct.h"

namespace ym::sim {
namespace {

TraceJob job_of(const RowView& row) { return {.line = row.line()}; }

// Yardmaster's own: docs/guide/simulate.md.
constexpr std::array<std::string_view, 3> kPlain{"submit", "run_time", "gpus"};
std::optional<TraceJob> read_plain(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("id");
  job.user = row.text("user");
  job.queue = row.text("queue");
  job.submit_at = row.instant("submit");
  job.run_time = row.duration("run_time", 1000);
  job.gpus = row.count("gpus");
  job.gpu_types = row.text("gpu_type");
  const auto said = [&](std::string_view column) { return !row.text(column).empty(); };
  if (said("nodes")) job.nodes = static_cast<std::int32_t>(row.count("nodes", 1));
  if (said("gpu_milli")) job.gpu_milli = static_cast<std::int32_t>(row.count("gpu_milli", 1));
  if (said("cpus")) job.cpu_milli = row.duration("cpus", 1000).ms;
  if (said("memory_mib")) job.memory_mib = row.count("memory_mib");
  if (said("priority")) job.priority = static_cast<std::int32_t>(row.count("priority"));
  if (said("time_limit")) job.time_limit = row.duration("time_limit", 1000);
  if (said("deadline")) job.deadline = row.duration("deadline", 1000);
  if (said("exit_code")) job.fails = row.count("exit_code") != 0;
  if (job.priority && *job.priority > 100) row.refuse("priority", "is more than 100");
  return job;
}

constexpr std::array<std::string_view, 5> kPhilly{"timestamp", "duration", "num_gpus", "gpu_time", "cluster"};
std::optional<TraceJob> read_philly(RowView& row) {
  TraceJob job = job_of(row);
  job.submit_at = row.instant("timestamp");
  job.run_time = row.duration("duration", 1000);
  job.gpus = row.count("num_gpus", 1);
  job.queue = job.user = row.text("cluster");
  return job;
}

constexpr std::array<std::string_view, 5> kMuri{"job_id", "num_gpu", "submit_time", "iterations", "iteration_time"};
std::optional<TraceJob> read_muri(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.submit_at = trace_epoch() + row.duration("submit_time", 1);
  job.gpus = row.count("num_gpu", 1);
  // The simulator that published its results takes an iteration to last 1.5 % longer than it says.
  const auto iterations = row.count("iterations"), each = row.count("iteration_time");
  if (iterations > 0 && each > 10'000'000'000 / iterations) row.refuse("iterations", "is too many");
  else job.run_time = Duration{iterations * each * 1015 / 1000};
  return job;
}

constexpr std::array<std::string_view, 6> kChronus{"job_id",      "user",     "num_gpu",
                                                   "submit_time", "duration", "expect_time_list"};
std::optional<TraceJob> read_chronus(RowView& row) {
  constexpr std::int64_t kMinute = 60'000;
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.user = job.queue = row.text("user");
  job.submit_at = trace_epoch() + row.duration("submit_time", kMinute);
  job.run_time = row.duration("duration", kMinute);
  job.gpus = row.count("num_gpu");
  // The last of several is when all of its value is gone.
  const auto times = row.text("expect_time_list");
  if (row.text("best_effort") == "1" || times.empty()) return job;
  const auto last = times.substr(times.rfind('-') == std::string_view::npos ? 0 : times.rfind('-') + 1);
  job.deadline = row.duration_of(last, "expect_time_list", kMinute);
  return job;
}

constexpr std::array<std::string_view, 7> kHelios{"job_id",   "user",     "vc",        "gpu_num",
                                                  "node_num", "submit_s", "duration_s"};
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

constexpr std::array<std::string_view, 5> kKalos{"job_id", "submit_s", "duration_s", "num_gpus", "num_nodes"};
std::optional<TraceJob> read_kalos(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("job_id");
  job.submit_at = trace_epoch() + row.duration("submit_s", 1000);
  job.run_time = row.duration("duration_s", 1000);
  job.gpus = row.count("num_gpus", 1);
  job.nodes = static_cast<std::int32_t>(row.count("num_nodes", 1));
  return job;
}

constexpr std::array<std::string_view, 6> kOpenb{"cpu_milli", "memory_mib",    "num_gpu",
                                                 "gpu_milli", "creation_time", "deletion_time"};
std::optional<TraceJob> read_openb(RowView& row) {
  TraceJob job = job_of(row);
  job.id = row.text("name");
  job.submit_at = trace_epoch() + row.duration("creation_time", 1000);
  const auto end = trace_epoch() + row.duration("deletion_time", 1000);
  if (end < job.submit_at) row.refuse("deletion_time", "is before creation_time");
  job.run_time = end - job.submit_at;
  job.gpus = row.count("num_gpu");
  if (job.gpus == 1) job.gpu_milli = static_cast<std::int32_t>(row.count("gpu_milli", 1));
  job.cpu_milli = row.count("cpu_milli");
  job.memory_mib = row.count("memory_mib");
  job.gpu_types = row.text("gpu_spec");
  job.nodes = 1;
  return job;
}

// Of Shockwave: no header; a job's run time alone, and when it comes, are its last two columns.
constexpr std::array<std::string_view, 12> kShockwave{"job_type",   "command",     "working_directory", "steps_flag",
                                                      "needs_data", "total_steps", "scale_factor",      "mode",
                                                      "priority",   "slo",         "duration",          "arrival"};
std::optional<TraceJob> read_shockwave(RowView& row) {
  TraceJob job = job_of(row);
  job.submit_at = trace_epoch() + row.duration("arrival", 1000);
  job.run_time = row.duration("duration", 1000);
  job.gpus = row.count("scale_factor", 1);
  return job;
}

constexpr std::array<std::string_view, 5> kSacct{"JobID", "Submit", "Start", "End", "State"};

constexpr std::array kFormats{
    TraceFormat{"csv", "Yardmaster's own: submit, run_time, gpus and more", kPlain, true, read_plain},
    TraceFormat{"sacct", "Slurm's accounting: sacct -P with a header", kSacct, true, read_sacct},
    TraceFormat{"philly", "Philly as the Pollux artifact has it", kPhilly, true, read_philly},
    TraceFormat{"muri", "Philly with models, of the Muri artifact", kMuri, true, read_muri},
    TraceFormat{"chronus", "Philly with deadlines, of the Chronus artifact", kChronus, true, read_chronus},
    TraceFormat{"helios", "Helios", kHelios, true, read_helios},
    TraceFormat{"kalos", "Acme's cluster Kalos", kKalos, true, read_kalos},
    TraceFormat{"openb", "Alibaba's pods of gpu-v2023", kOpenb, true, read_openb},
    TraceFormat{"shockwave", "Shockwave's jobs, parted by tabs, without a header", kShockwave, false, read_shockwave},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return kFormats; }

const TraceFormat* find_format(std::string_view name) {
  const auto it = std::ranges::find(kFormats, name, &TraceFormat::name);
  return it == kFormats.end() ? nullptr : &*it;
}

const TraceFormat* recognise(const TableReader::Row& first) {
  const auto fits = [&](const TraceFormat& format) {
    if (!format.has_header) return first.fields.size() == format.columns.size();
    return std::ranges::all_of(format.columns, [&](std::string_view column) {
      return std::ranges::find(first.fields, column) != first.fields.end();
    });
  };
  const auto it = std::ranges::find_if(kFormats, fits);
  return it == kFormats.end() ? nullptr : &*it;
}

}  // namespace ym::sim
