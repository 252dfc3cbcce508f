#include "sim/report/job_rows.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace ym::sim {
namespace {

std::string cell(const std::string& text) {
  std::string safe;
  if (!text.empty() && std::string_view("=+-@\t\r").contains(text.front())) safe = "'";
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted || c == ',' || c == '"' || c == '\n' || c == '\r';
    safe += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted ? '"' + safe + '"' : safe;
}

std::string in_seconds(Duration duration) { return fmt::format("{}.{:03}", duration.ms / 1000, duration.ms % 1000); }

}  // namespace

Result<JobRows> JobRows::create(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return fail(ErrorCode::io, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  std::fputs(
      "id,trace_id,user,queue,gpus,nodes,submitted_at,wait_seconds,completion_seconds,run_seconds,state,attempts,"
      "preemptions,"
      "used_gpu_hours,lost_gpu_hours\n",
      file);
  return JobRows(path, file);
}

void JobRows::add(const JobRecord& record) {
  const auto wait = record.started_at ? in_seconds(*record.started_at - record.submitted_at) : std::string();
  const auto row =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f}\n", to_string(record.id), cell(record.trace_id),
                  cell(record.user), cell(record.queue), static_cast<double>(record.gpu_milli) / 1000, record.nodes,
                  to_rfc3339(record.submitted_at), wait, in_seconds(record.ended_at - record.submitted_at),
                  in_seconds(record.run_time), to_string(record.state), record.attempts, record.preemptions,
                  static_cast<double>(record.used_gpu_ms) / 3.6e6, static_cast<double>(record.lost_gpu_ms) / 3.6e6);
  std::fwrite(row.data(), 1, row.size(), file_.get());
}

Result<void> JobRows::close() {
  const bool broken = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) == 0 && !broken) return {};
  return fail(ErrorCode::io, fmt::format("cannot write all of {}: {}", path_, std::strerror(errno)));
}

}  // namespace ym::sim
