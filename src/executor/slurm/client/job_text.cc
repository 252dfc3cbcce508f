#include "executor/slurm/client/job_text.h"

#include <fmt/format.h>

#include "base/whole_number.h"
#include "executor/slurm/client/hostlist.h"

namespace ym::slurm {
namespace {

constexpr std::size_t kColumns = 12;
constexpr std::size_t kMostColumn = 65'536;

std::unexpected<Error> no_row(std::string_view line) {
  return fail(ErrorCode::corrupt, fmt::format("Slurm's list of jobs has an invalid line: \"{}\"", line.substr(0, 120)));
}

std::string word(std::string_view text) { return text == "(null)" ? std::string{} : std::string{text}; }

// From the fields in column order. Empty: the line is invalid.
std::optional<JobRow> row_of(const std::vector<std::string_view>& fields) {
  const auto id = whole_number<std::int64_t>(fields[0]);
  auto nodes = expand_hosts(fields[10]);
  if (!id || *id <= 0 || !nodes) return std::nullopt;
  return JobRow{.id = *id,
                .name = word(fields[1]),
                .state = std::string(fields[2]),
                .reason = word(fields[3]),
                .comment = word(fields[11]),
                .exit = std::string(fields[8]),
                .submitted = parse_slurm_time(fields[4]),
                .started = parse_slurm_time(fields[5]),
                .ended = parse_slurm_time(fields[6]),
                .preempted = parse_slurm_time(fields[7]),
                .restarts = whole_number<std::int64_t>(fields[9]).value_or(0),
                .nodes = std::move(*nodes)};
}

// `tail`: squeue writes a separator after the last column too.
Result<std::vector<JobRow>> parse_rows(std::string_view text, bool tail) {
  std::vector<JobRow> rows;
  for (auto line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto whole = line;
    if (tail && line.back() == '|') line.remove_suffix(1);
    const auto fields = split(line, '|', kColumns);
    if (fields.size() != kColumns || line.size() > kMostColumn) return no_row(whole);
    if (!fields[1].starts_with(kNamePrefix)) continue;
    auto row = row_of(fields);
    if (!row) return no_row(whole);
    rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace

std::string_view squeue_columns() {
  return "JobID:|,Name:|,State:|,Reason:|,SubmitTime:|,StartTime:|,EndTime:|,PreemptTime:|,exit_code:|,RestartCnt:|,"
         "NodeList:|,Comment:|";
}

// sacct has no column for the reason and some others: in their place are columns that it leaves empty.
std::string_view sacct_columns() {
  return "JobIDRaw,JobName,State,Reason,Submit,Start,End,Suspended,ExitCode,SystemComment,NodeList,Comment";
}

Result<std::vector<JobRow>> parse_squeue(std::string_view text) { return parse_rows(text, true); }

Result<std::vector<JobRow>> parse_sacct(std::string_view text) {
  auto rows = parse_rows(text, false);
  if (!rows) return rows;
  for (auto& row : *rows) {
    row.preempted.reset();
    row.restarts = 0;
    // "CANCELLED by 1000"
    row.state = row.state.substr(0, row.state.find(' '));
  }
  return rows;
}

std::optional<Instant> parse_slurm_time(std::string_view text) {
  if (text.size() != 19 || text[10] != 'T') return std::nullopt;
  const auto parsed = parse_rfc3339(fmt::format("{}Z", text));
  return parsed ? std::optional(*parsed) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator, std::size_t most) {
  std::vector<std::string_view> pieces;
  while (pieces.size() + 1 < most) {
    const auto at = text.find(separator);
    if (at == std::string_view::npos) break;
    pieces.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  pieces.push_back(text);
  return pieces;
}

}  // namespace ym::slurm
