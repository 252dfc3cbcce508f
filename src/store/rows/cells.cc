#include "store/rows/cells.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <span>

#include "store/stored_event.h"

namespace ym::rows {
namespace {

constexpr std::int64_t kEventVersion = 1;

Cell or_null(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }

}  // namespace

std::array<Cell, 9> cells(const Job& job, std::string_view doc) {
  return {column(job.id),
          std::string_view(job.owner),
          std::string_view(job.queue),
          std::string_view(job.name),
          std::string_view(job.project),
          to_string(job.state),
          or_null(column(job.group)),
          job.submitted_at.ms,
          doc};
}

std::array<Cell, 3> cells(const Attempt& attempt, std::string_view doc) {
  return {column(attempt.job), std::int64_t{attempt.number}, doc};
}

std::array<Cell, 9> cells(const Event& event, std::string_view payload) {
  const auto attempt = attempt_of(event.payload);
  return {column(event.seq),
          event.time.ms,
          type_name(event.payload),
          kEventVersion,
          or_null(column(job_of(event.payload))),
          attempt ? Cell(std::int64_t{attempt->number}) : Cell(),
          std::string_view(event.actor),
          std::string_view(event.reason),
          payload};
}

std::array<Cell, 2> cells(SpecId id, std::string_view doc) { return {column(id), doc}; }

std::array<Cell, 2> cells(std::string_view name, std::string_view doc) { return {name, doc}; }

std::array<Cell, 5> cells(const IdempotencyRecord& record, std::string_view jobs) {
  return {std::string_view(record.principal), std::string_view(record.key), std::string_view(record.request_hash), jobs,
          record.at.ms};
}

std::array<Cell, 4> cells(const TokenRecord& record) {
  return {std::string_view(record.hash), std::string_view(record.principal), std::string_view(record.role),
          record.created_at.ms};
}

std::string list_of(std::span<const JobId> jobs) {
  return fmt::format("[{}]", fmt::join(jobs | std::views::transform(&JobId::value), ","));
}

std::vector<JobState> states_of(const JobFilter& filter) {
  using enum JobState;
  if (filter.states.empty())
    return {held, queued, starting, running, stopping, unreachable, succeeded, failed, cancelled, timed_out};
  const std::set<JobState> states(filter.states.begin(), filter.states.end());
  return {states.begin(), states.end()};
}

std::vector<std::pair<std::string_view, Cell>> conditions_of(const JobFilter& filter) {
  std::vector<std::pair<std::string_view, Cell>> conditions;
  const auto add = [&](std::string_view name, const std::optional<std::string>& value) {
    if (value) conditions.emplace_back(name, std::string_view(*value));
  };
  add("owner", filter.owner);
  add("queue", filter.queue);
  add("name", filter.name);
  add("project", filter.project);
  if (filter.group) conditions.emplace_back("group_id", column(*filter.group));
  return conditions;
}

namespace {

using Put = std::function<std::string(const Cell&)>;

// False for all rows, if there are none.
constexpr std::string_view kNever = "1 = 0", kAlways = "1 = 1";

std::string one_of(std::string_view column, const std::vector<std::string>& names, const Put& put) {
  if (names.empty()) return std::string(kNever);
  std::vector<std::string> places;
  for (const auto& name : names) places.push_back(put(std::string_view(name)));
  return fmt::format("{} IN ({})", column, fmt::join(places, ", "));
}

std::string condition_of(const JobSet& set, const Put& put) {
  std::vector<std::string> parts;
  if (set.owner) parts.push_back("owner = " + put(std::string_view(*set.owner)));
  if (set.projects) parts.push_back(one_of("project", *set.projects, put));
  if (set.queues) parts.push_back(one_of("queue", *set.queues, put));
  return parts.empty() ? std::string(kAlways) : fmt::format("{}", fmt::join(parts, " AND "));
}

}  // namespace

std::string condition_of_sets(const JobFilter& filter, const Put& put) {
  if (!filter.within) return {};
  std::vector<std::string> sets;
  for (const JobSet& set : *filter.within) sets.push_back(fmt::format("({})", condition_of(set, put)));
  return sets.empty() ? fmt::format(" AND {}", kNever) : fmt::format(" AND ({})", fmt::join(sets, " OR "));
}

std::string bytes_of_event(const Cells& cells, std::string_view spec) {
  std::string bytes;
  for (const Cell& cell : cells) {
    if (std::holds_alternative<std::int64_t>(cell)) add_column(bytes, number(cell));
    else if (std::holds_alternative<std::string_view>(cell)) add_column(bytes, text(cell));
    else add_column(bytes, std::nullopt);
  }
  add_column(bytes, spec);
  return bytes;
}

}  // namespace ym::rows
