#include "store/rows/cells.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <span>

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

}  // namespace ym::rows
