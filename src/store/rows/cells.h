// Rows as columns, in the order of the schema.
//
// A document (`doc`, `payload`) is the JSON of model/json. The columns beside it repeat parts of it, for searches.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "store/store.h"

namespace ym::rows {

// Null, a number or a text. The text is a view of the source's memory.
using Cell = std::variant<std::monostate, std::int64_t, std::string_view>;

// All columns of a row except a checksum. The rest is null.
using Cells = std::array<Cell, 9>;
inline std::int64_t number(const Cell& cell) {
  const auto* value = std::get_if<std::int64_t>(&cell);
  return value ? *value : 0;
}
inline std::string_view text(const Cell& cell) {
  const auto* value = std::get_if<std::string_view>(&cell);
  return value ? *value : std::string_view();
}

// Ids, as values of columns.
inline std::int64_t column(std::uint64_t id) { return static_cast<std::int64_t>(id); }
template <class Tag>
std::int64_t column(StrongId<Tag> id) {
  return column(id.value);
}
template <class Tag>
std::optional<std::int64_t> column(const std::optional<StrongId<Tag>>& id) {
  return id ? std::optional(column(*id)) : std::nullopt;
}

// id, owner, queue, name, project, state, group_id, submitted_at, doc
std::array<Cell, 9> cells(const Job& job, std::string_view doc);
// job, number, doc
std::array<Cell, 3> cells(const Attempt& attempt, std::string_view doc);
// seq, time, type, v, job, attempt, actor, reason, payload
std::array<Cell, 9> cells(const Event& event, std::string_view payload);
// id, doc
std::array<Cell, 2> cells(SpecId id, std::string_view doc);
// name, doc
std::array<Cell, 2> cells(std::string_view name, std::string_view doc);
// principal, key, request_hash, jobs, at
std::array<Cell, 5> cells(const IdempotencyRecord& record, std::string_view jobs);
// hash, principal, role, created_at
std::array<Cell, 4> cells(const TokenRecord& record);

inline constexpr std::size_t kJobDocument = 8;
inline constexpr std::size_t kEventPayload = 8;

// "[1,2]"
std::string list_of(std::span<const JobId> jobs);

// Calls `take` with each spec of these events. A spec is in the event that submits the first of its jobs.
template <class Take>
void each_spec(const std::vector<Event>& events, Take take) {
  SpecId last;
  for (const auto& event : events) {
    const auto* submitted = std::get_if<JobSubmitted>(&event.payload);
    if (!submitted || submitted->job.spec_id == last) continue;
    last = submitted->job.spec_id;
    take(last, *submitted->job.spec);
  }
}

// The same of these jobs. A spec comes again where jobs of another one stand between its own.
template <class Take>
void each_spec(const std::vector<Shared<Job>>& jobs, Take take) {
  SpecId last;
  for (const Job& job : jobs)
    if (std::exchange(last, job.spec_id) != job.spec_id) take(job.spec_id, *job.spec);
}

// Calls `load(table)` for each table of named rows. The first error ends it.
template <class Load>
Result<void> each_named(Load load) {
  Result<void> done;
  const auto next = [&](std::string_view table) {
    if (done) done = load(table);
  };
  std::apply([&](auto... rows) { (next(table_of(rows)), ...); }, kNamedTables);
  return done;
}

// Calls `write(table, rows, removed)` for each table of named rows. The first error ends it.
template <class Write>
Result<void> each_named(const Commit& commit, Write write) {
  Result<void> done;
  const auto next = [&](const auto& changes) {
    if (done) done = write(changes.kTable, changes.set, changes.removed);
  };
  std::apply([&](const auto&... changes) { (next(changes), ...); }, commit.named);
  return done;
}

// The states of the jobs that the filter selects.
std::vector<JobState> states_of(const JobFilter& filter);
// The filter's other conditions, as columns and values; without the condition on the id.
std::vector<std::pair<std::string_view, Cell>> conditions_of(const JobFilter& filter);
// JobFilter::within as a condition in SQL, " AND (...)"; empty: there is none. `put` takes a value and returns its
// placeholder.
std::string condition_of_sets(const JobFilter& filter, const std::function<std::string(const Cell&)>& put);

// All columns of an event and the document of its spec (empty: none), so that no two rows have the same bytes. The same
// for all databases.
std::string bytes_of_event(const Cells& cells, std::string_view spec);
inline constexpr std::size_t kEventType = 2;

// Bytes that the documents of one page may take. Without this limit, rows with the largest specs would take gigabytes.
inline constexpr std::size_t kPageBytes = std::size_t{2} << 20;

}  // namespace ym::rows
