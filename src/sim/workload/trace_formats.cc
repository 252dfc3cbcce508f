#include "sim/workload/trace_formats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/workload/published_rows.h"
#include "sim/workload/sacct.h"

namespace ym::sim {
namespace {

constexpr std::array<MissedColumn, 7> kMissedOfSacct{{{"ReqTRES", "AllocTRES", "every job counts as one without GPUs"},
                                                      {"Timelimit", "TimelimitRaw", "no job has a time limit"},
                                                      {"ElapsedRaw", "Elapsed", ""},
                                                      {"User", "User", ""},
                                                      {"Account", "Account", ""},
                                                      {"Partition", "Partition", ""},
                                                      {"NNodes", "NNodes", ""}}};

// Yardmaster's own format: docs/guide/simulate.md.
constexpr std::array<std::string_view, 3> kPlain{"submit", "run_time", "gpus"};
constexpr std::array<std::string_view, 12> kBesidePlain{"id",       "user",       "queue",    "nodes",
                                                        "gpu_type", "gpu_milli",  "cpus",     "memory_mib",
                                                        "priority", "time_limit", "deadline", "exit_code"};
std::optional<TraceJob> read_plain(RowView& row) {
  TraceJob job{.line = row.line()};
  job.id = row.text("id");
  job.user = row.text("user");
  job.queue = row.text("queue");
  job.submit_at = row.instant("submit");
  job.run_time = row.duration("run_time", 1000);
  job.gpus = row.count("gpus");
  job.gpu_types = row.text("gpu_type");
  const auto has = [&](std::string_view column) { return !row.text(column).empty(); };
  if (has("nodes")) job.nodes = static_cast<std::int32_t>(row.count("nodes", 1));
  if (has("gpu_milli")) job.gpu_milli = static_cast<std::int32_t>(row.count("gpu_milli", 1));
  if (has("cpus")) job.cpu_milli = row.duration("cpus", 1000).ms;
  if (has("memory_mib")) job.memory_mib = row.count("memory_mib");
  if (has("priority")) job.priority = static_cast<std::int32_t>(row.count("priority"));
  if (has("time_limit")) job.time_limit = row.duration("time_limit", 1000);
  if (has("deadline")) job.deadline = row.duration("deadline", 1000);
  if (has("exit_code")) job.fails = row.count("exit_code") != 0;
  if (job.priority && *job.priority > 100) row.refuse("priority", "is more than 100");
  return job;
}

constexpr std::array<std::string_view, 5> kSacct{"JobID", "Submit", "Start", "End", "State"};
constexpr std::array<std::string_view, 5> kPhilly{"timestamp", "duration", "num_gpus", "gpu_time", "cluster"};
constexpr std::array<std::string_view, 5> kMuri{"job_id", "num_gpu", "submit_time", "iterations", "iteration_time"};
constexpr std::array<std::string_view, 6> kChronus{"job_id",      "user",     "num_gpu",
                                                   "submit_time", "duration", "expect_time_list"};
constexpr std::array<std::string_view, 7> kHelios{"job_id",   "user",     "vc",        "gpu_num",
                                                  "node_num", "submit_s", "duration_s"};
constexpr std::array<std::string_view, 5> kKalos{"job_id", "submit_s", "duration_s", "num_gpus", "num_nodes"};
constexpr std::array<std::string_view, 6> kOpenb{"cpu_milli", "memory_mib",    "num_gpu",
                                                 "gpu_milli", "creation_time", "deletion_time"};
constexpr std::array<std::string_view, 5> kOpenbUntimed{"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"};
constexpr std::array<std::string_view, 12> kShockwave{"job_type",   "command",     "working_directory", "steps_flag",
                                                      "needs_data", "total_steps", "scale_factor",      "mode",
                                                      "priority",   "slo",         "duration",          "arrival"};
constexpr std::array<std::string_view, 7> kGavel{"job_type",    "command", "steps_flag",  "needs_data",
                                                 "total_steps", "arrival", "scale_factor"};
constexpr std::array<std::string_view, 5> kPollux{"name", "time", "application", "num_replicas", "batch_size"};

// For formats with complete rows.
template <auto kRead>
Result<RowReader> rows(const std::string&) {
  return RowReader(kRead);
}

// For formats that need tables beside the trace.
template <class Tables, auto kRead>
Result<RowReader> rows_with(const std::string& path) {
  auto tables = Tables::beside(path);
  if (!tables) return std::unexpected(tables.error());
  return [tables = std::move(*tables)](RowView& row) { return kRead(row, tables); };
}

constexpr std::array kFormats{
    TraceFormat{"csv", "Yardmaster's own: submit, run_time, gpus and more", kPlain, true, rows<read_plain>,
                kBesidePlain},
    TraceFormat{"sacct",
                "Slurm's accounting: sacct -P with a header",
                kSacct,
                true,
                rows<read_sacct>,
                {},
                true,
                kMissedOfSacct},
    TraceFormat{"philly", "Philly as the Pollux artifact has it", kPhilly, true, rows<read_philly>},
    TraceFormat{"muri", "Philly with models, of the Muri artifact", kMuri, true, rows<read_muri>},
    TraceFormat{"chronus", "Philly with deadlines, of the Chronus artifact", kChronus, true, rows<read_chronus>},
    TraceFormat{"helios", "Helios", kHelios, true, rows<read_helios>},
    TraceFormat{"kalos", "Acme's cluster Kalos", kKalos, true, rows<read_kalos>},
    TraceFormat{"openb", "Alibaba's pods of gpu-v2023", kOpenb, true, rows<read_openb>},
    TraceFormat{"openb-untimed", "those pods without times: one a second, which stays", kOpenbUntimed, true,
                rows<read_openb_untimed>},
    TraceFormat{"shockwave", "Shockwave's jobs, parted by tabs, without a header", kShockwave, false,
                rows<read_shockwave>},
    TraceFormat{"gavel", "Gavel's virtual clusters, parted by tabs, without a header", kGavel, false,
                rows_with<GavelSpeeds, read_gavel>},
    TraceFormat{"pollux", "Pollux' workloads", kPollux, true, rows_with<PolluxSpeeds, read_pollux>},
};

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::span<const TraceFormat> trace_formats() { return kFormats; }

const TraceFormat* find_format(std::string_view name) {
  const auto it = std::ranges::find(kFormats, name, &TraceFormat::name);
  return it == kFormats.end() ? nullptr : &*it;
}

const TraceFormat* recognise(const TableReader::Row& first) {
  const auto fits = [&](const TraceFormat& format) {
    // Formats without a header begin with the type of the job and end with a number.
    if (!format.has_header)
      return first.fields.size() == format.columns.size() && !is_number(first.fields.front()) &&
             is_number(first.fields.back());
    return std::ranges::all_of(format.columns, [&](std::string_view column) {
      return std::ranges::find(first.fields, column) != first.fields.end();
    });
  };
  const auto it = std::ranges::find_if(kFormats, fits);
  return it == kFormats.end() ? nullptr : &*it;
}

}  // namespace ym::sim
