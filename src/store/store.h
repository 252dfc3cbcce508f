// The port to durable truth.
//
// A store keeps the present state as rows (tables) and everything that led to it as
// an append-only list of events, both written in one transaction. It knows nothing
// of rules: which rows change is decided by folding events (model/tables.h).
//
// Threads: one thread calls the writing half (open, commit); `reader()` may be called
// from any thread, and so may the readers it returns, each by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "model/tables.h"

namespace ym {

// A submit that was acknowledged under an idempotency key.
struct IdempotencyRecord {
  std::string principal;
  std::string key;
  std::string request_hash;
  std::vector<JobId> jobs;
  Instant at;
  bool operator==(const IdempotencyRecord&) const = default;
};

// A principal's token; only the hash is kept.
struct TokenRecord {
  std::string hash;  // lower-case hex
  std::string principal;
  std::string role;  // "admin"
  Instant created_at;
  bool operator==(const TokenRecord&) const = default;
};

// What a transaction does to a table of named rows.
template <class Row>
struct RowChanges {
  static constexpr std::string_view kTable = Row::kTable;
  std::vector<Row> set;
  std::vector<std::string> removed;
};

// One transaction. The rows are what the fold of `events` left: whole rows, each
// replacing the one before.
struct Commit {
  std::vector<Event> events;
  std::vector<Shared<Job>> jobs;
  std::vector<Shared<Attempt>> attempts;
  OfNamedTables<RowChanges>::Tuple named;
  std::vector<IdempotencyRecord> idempotency;
  std::vector<TokenRecord> tokens;

  template <class Row>
  RowChanges<Row>& of() {
    return std::get<RowChanges<Row>>(named);
  }
  bool empty() const { return events.empty() && idempotency.empty() && tokens.empty(); }
};

// Makes the transaction for a batch: the rows of `tables` that it touched.
Commit make_commit(const Tables& tables, const Touched& touched, std::vector<Event> events);

// What a server needs in memory to go on: all but jobs that have ended.
struct LoadedState {
  Tables tables;
  std::vector<IdempotencyRecord> idempotency;
  std::vector<TokenRecord> tokens;
};

// Which jobs a page is of. Newest first; `before` is exclusive.
struct JobFilter {
  std::optional<std::string> owner, queue, name, project;
  std::optional<GroupId> group;
  std::vector<JobState> states;  // empty: any
  std::optional<JobId> before;
};

struct EventFilter {
  std::optional<JobId> job;
  std::uint64_t after = 0;  // exclusive
};

// Committed history. Never waits behind a commit.
//
// Pages of jobs and events may be shorter than `limit` where the rows are large, so that
// what a page takes in memory is bounded; only an empty one is the end.
class StoreReader {
 public:
  virtual ~StoreReader() = default;
  virtual Result<std::optional<Job>> job(JobId id) = 0;
  // Those of them that there are, by id.
  virtual Result<std::vector<Job>> jobs(std::span<const JobId> ids) = 0;
  // Of all these jobs, by job and number.
  virtual Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) = 0;
  Result<std::vector<Attempt>> attempts(JobId job) { return attempts(std::span<const JobId>(&job, 1)); }
  virtual Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) = 0;
  // In order of seq.
  virtual Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  // Reads everything back. Errors: `corrupt` if what is read is not what was written
  // (the message says what to do); never an empty state in place of a lost one.
  virtual Result<LoadedState> load() = 0;

  // Durable when it returns success; nothing of it is stored when it returns an error.
  // Precondition: events continue the stored ones without a gap.
  // Errors: `unavailable` (e.g. disk full: the next try may work); `conflict`: another
  // server has written since the last commit or load of this one, which has to end. An
  // fsync that fails with EIO aborts the process, because what the disk holds is then
  // unknown.
  virtual Result<void> commit(const Commit& commit) = 0;

  virtual Result<std::unique_ptr<StoreReader>> reader() = 0;

  // When the newest event happened; 0 if there is none. Cheap.
  virtual Instant last_time() const = 0;

  // Whether what is stored may end before what was once acknowledged, or nobody can tell: a backup was put back, a copy
  // was taken over. To be asked before the first commit.
  virtual bool is_set_back() const { return false; }

  // What it takes on disk. From any thread.
  virtual std::uint64_t bytes() const = 0;

  // Deletes idempotency records from before `horizon`; cheap, called now and then.
  virtual Result<void> expire_idempotency(Instant horizon) = 0;
};

}  // namespace ym
