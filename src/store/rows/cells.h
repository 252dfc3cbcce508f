// Rows as columns: what each table holds, in the order of its schema.
//
// A document (`doc`, `payload`) is the JSON of model/json; the columns beside it exist to be
// searched by and repeat what it says.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/store.h"

namespace ym::rows {

// Null, a number or a text. The text belongs to whom it was taken from.
using Cell = std::variant<std::monostate, std::int64_t, std::string_view>;

// A row as it was read: all its columns but a checksum; null behind the last.
using Cells = std::array<Cell, 9>;
inline std::int64_t number(const Cell& cell) {
  const auto* value = std::get_if<std::int64_t>(&cell);
  return value ? *value : 0;
}
inline std::string_view text(const Cell& cell) {
  const auto* value = std::get_if<std::string_view>(&cell);
  return value ? *value : std::string_view();
}

// Ids, as columns hold them.
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

// Calls `take` with each spec that these events bring: it comes with the event that submits the
// first of its jobs.
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

// Calls `load(table, rows)` for each table of named objects, until one fails.
template <class Load>
Result<void> each_named(Tables& tables, Load load) {
  Result<void> done = load("clusters", tables.clusters);
  if (done) done = load("nodes", tables.nodes);
  if (done) done = load("flavors", tables.flavors);
  if (done) done = load("queues", tables.queues);
  if (done) done = load("reservations", tables.reservations);
  if (done) done = load("policies", tables.policies);
  if (done) done = load("usage", tables.usage);
  if (done) done = load("spending", tables.spending);
  return done;
}

// Calls `write(table, rows, removed)` for each of them, until one fails.
template <class Write>
Result<void> each_named(const Commit& commit, Write write) {
  Result<void> done = write("clusters", commit.clusters, commit.removed_clusters);
  if (done) done = write("nodes", commit.nodes, commit.removed_nodes);
  if (done) done = write("flavors", commit.flavors, commit.removed_flavors);
  if (done) done = write("queues", commit.queues, commit.removed_queues);
  if (done) done = write("reservations", commit.reservations, commit.removed_reservations);
  if (done) done = write("policies", commit.policies, commit.removed_policies);
  if (done) done = write("usage", commit.usage, commit.removed_usage);
  if (done) done = write("spending", commit.spending, commit.removed_spending);
  return done;
}

// The states that a page is of.
std::vector<JobState> states_of(const JobFilter& filter);
// What else its jobs must have: a column and its value. The id is not among it.
std::vector<std::pair<std::string_view, Cell>> conditions_of(const JobFilter& filter);

// What a page may take: rows of the largest specs would otherwise add up to gigabytes.
inline constexpr std::size_t kPageBytes = std::size_t{2} << 20;

}  // namespace ym::rows
