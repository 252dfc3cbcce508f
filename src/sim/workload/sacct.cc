#include "sim/workload/sacct.h"

#include <array>
#include <charconv>
#include <vector>

namespace ym::sim {
namespace {

bool is_known(std::string_view time) { return !time.empty() && time != "Unknown" && time != "None" && time != "N/A"; }

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 1'000'000'000)
    return std::nullopt;
  return value;
}

std::vector<std::string_view> parts(std::string_view text, char delimiter) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const auto end = std::min(text.find(delimiter), text.size());
    found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

// "[DD-][HH:]MM:SS". Nothing: "UNLIMITED", "Partition_Limit" and other texts that are not times.
std::optional<Duration> time_of(std::string_view text) {
  std::int64_t days = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto value = number_of(text.substr(0, dash));
    if (!value) return std::nullopt;
    days = *value;
    text.remove_prefix(dash + 1);
  }
  std::int64_t total = 0;
  const auto units = parts(text, ':');
  for (const auto unit : units) {
    const auto value = number_of(unit);
    if (!value) return std::nullopt;
    total = total * 60 + *value;
  }
  if (units.size() < 2 || units.size() > 3) return std::nullopt;
  return seconds(days * 86'400 + total);
}

std::optional<Duration> time_limit(const RowView& row) {
  if (const auto raw = number_of(row.text("TimelimitRaw"))) return minutes(*raw);
  return time_of(row.text("Timelimit"));
}

// The run time. Start and End are wall-clock times, which are set back once a year, so Slurm's own counter has
// priority. Nothing: it is unknown.
std::optional<Duration> elapsed(RowView& row) {
  if (!row.text("ElapsedRaw").empty()) return row.duration("ElapsedRaw", 1000);
  if (const auto elapsed = time_of(row.text("Elapsed"))) return elapsed;
  const auto start = row.instant("Start"), end = row.instant("End");
  return end < start ? std::nullopt : std::optional(end - start);
}

// The reason for a row that ends before it begins. A column with the run time would make it valid.
std::string ends_too_early(const RowView& row) {
  const std::string why = "an end before its beginning, as when clocks are set back an hour";
  if (row.has("ElapsedRaw")) return why + ", and the column ElapsedRaw is empty";
  if (row.has("Elapsed")) return why + ", and the column Elapsed has no time";
  return why + "; the column ElapsedRaw would make it valid";
}

// Reads "billing=8,cpu=8,gres/gpu=4,gres/gpu:a100=4,mem=64G,node=1".
void read_resources(RowView& row, TraceJob& job) {
  const std::string_view column = row.text("ReqTRES").empty() ? "AllocTRES" : "ReqTRES";
  job.gpus = 0;
  for (const auto one : parts(row.text(column), ',')) {
    const auto equals = one.find('=');
    const auto name = one.substr(0, equals);
    const auto value = equals == std::string_view::npos ? std::nullopt : number_of(one.substr(equals + 1));
    if (name == "gres/gpu" || name.starts_with("gres/gpu:")) {
      if (!value) return row.refuse(column, "has GPUs that are not counted by a whole number");
      job.gpus = std::max(job.gpus, *value);
      if (name.starts_with("gres/gpu:")) job.gpu_types = name.substr(std::string_view("gres/gpu:").size());
    }
    if (name == "cpu" && value) job.cpu_milli = *value * 1000;
    if (name == "node" && value) job.nodes = static_cast<std::int32_t>(*value);
  }
}

}  // namespace

std::optional<TraceJob> read_sacct(RowView& row) {
  if (row.text("JobID").contains('.') || !is_known(row.text("Start")) || !is_known(row.text("End")))
    return std::nullopt;
  TraceJob job{.line = row.line(), .id = std::string(row.text("JobID"))};
  job.user = row.text("User");
  job.queue = row.text(row.text("Account").empty() ? "Partition" : "Account");
  job.submit_at = row.instant("Submit");
  const auto ran = elapsed(row);
  if (!ran) {
    row.skip(ends_too_early(row));
    return std::nullopt;
  }
  job.run_time = *ran;
  job.time_limit = time_limit(row);
  read_resources(row, job);
  if (!row.text("NNodes").empty()) job.nodes = static_cast<std::int32_t>(row.count("NNodes"));
  const auto state = row.text("State");
  job.fails = state == "FAILED" || state == "OUT_OF_MEMORY";
  // It ran until the limit that it had then. How long it would have run is unknown.
  if (state == "TIMEOUT" && job.time_limit) job.run_time = *job.time_limit;
  return job;
}

}  // namespace ym::sim
