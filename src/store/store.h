// The port to durable storage.
//
// A store keeps the present state as rows (tables), and every change as an append-only list of events. One transaction
// writes both. It contains no scheduling rules: folding events (model/tables.h) decides which rows change.
//
// Threads: one thread calls the writing half (open, commit). Any thread may call `reader()`. Each reader may be used by
// any thread, by one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/tables.h"

namespace ym {

// A submit that was acknowledged with an idempotency key.
struct IdempotencyRecord {
  std::string principal;
  std::string key;
  std::string request_hash;
  std::vector<JobId> jobs;
  Instant at;
  bool operator==(const IdempotencyRecord&) const = default;
};

// A token of a principal. Only its hash is stored.
struct TokenRecord {
  std::string hash;  // lower-case hex
  std::string principal;
  std::string role;  // "admin"
  Instant created_at;
  bool operator==(const TokenRecord&) const = default;
};

// The changes of a transaction in a table of named rows.
template <class Row>
struct RowChanges {
  static constexpr std::string_view kTable = Row::kTable;
  std::vector<Row> set;
  std::vector<std::string> removed;
};

// One transaction. The rows are the result of folding `events`. Each is complete and replaces the previous one.
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

// Makes the transaction of a batch of events, with the rows of `tables` that the batch touched.
Commit make_commit(const Tables& tables, const Touched& touched, std::vector<Event> events);

// What an erasure changes in what is stored already (Store::rewrite).
struct Rewrite {
  std::vector<Event> events;  // each in place of the one with its number, of the same type and job
  std::vector<std::pair<SpecId, std::shared_ptr<const JobSpec>>> specs;  // each in place of the one with its id
  std::string principal;  // its idempotency records and tokens of earlier versions are deleted
};

// What a server needs in memory: everything except jobs that have ended.
struct LoadedState {
  Tables tables;
  std::vector<IdempotencyRecord> idempotency;
  std::vector<TokenRecord> tokens;
};

// The jobs that have all that is set.
struct JobSet {
  std::optional<std::string> owner{};
  std::optional<std::vector<std::string>> projects{}, queues{};  // one of these
  bool operator==(const JobSet&) const = default;
};
bool contains(const JobSet& set, const Job& job);

// Selects the jobs of a page, newest first. `before` is exclusive.
struct JobFilter {
  std::optional<std::string> owner, queue, name, project;
  std::optional<GroupId> group;
  std::vector<JobState> states;  // empty: any
  std::optional<JobId> before;
  // In at least one of these. Nothing: any. So a store leaves out what a caller may not see.
  std::optional<std::vector<JobSet>> within{};
};
// Whether the filter selects the job.
bool matches(const JobFilter& filter, const Job& job);

struct EventFilter {
  std::optional<JobId> job;
  std::uint64_t after = 0;  // exclusive
  std::uint64_t until = 0;  // inclusive; 0: the last one
  std::string_view type{};  // name of the only type; empty: all. A literal
};

// An event as the store keeps it: all its columns as bytes, and the specification that it submits.
struct StoredEvent {
  std::uint64_t seq = 0;
  std::string bytes;
  bool is_seal = false;
};

// Reads committed history. It never waits for a commit.
//
// Pages of jobs and events may be shorter than `limit` if the rows are large, so that the memory of a page is bounded.
// Only an empty page is the end.
class StoreReader {
 public:
  virtual ~StoreReader() = default;
  virtual Result<std::optional<Job>> job(JobId id) = 0;
  // The jobs with these ids, in order of id. Unknown ids are left out.
  virtual Result<std::vector<Job>> jobs(std::span<const JobId> ids) = 0;
  // The attempts of all these jobs, in order of job and number.
  virtual Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) = 0;
  Result<std::vector<Attempt>> attempts(JobId job) { return attempts(std::span<const JobId>(&job, 1)); }
  virtual Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) = 0;
  // In order of seq.
  virtual Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) = 0;
  // The events after this one, in order of seq. Damaged and missing ones are no error: a seal shows them. Fewer than
  // requested if they are large; only an empty answer is the end.
  virtual Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) = 0;
};

// What one step of pruning deleted.
struct Pruned {
  std::int64_t events = 0, jobs = 0;
  std::uint64_t last = 0;  // the last one that was deleted; 0: none
  bool more = false;       // ask again: there are further events to delete, or space to give back
};

class Store {
 public:
  virtual ~Store() = default;

  // Reads the whole state. Errors: `corrupt`: the state is damaged or lost (the message says what to do). It never
  // returns an empty state in place of a lost one.
  virtual Result<LoadedState> load() = 0;

  // Durable when it returns success. After an error nothing of the commit is stored. Precondition: the events continue
  // the stored ones without a gap.
  // Errors: `unavailable` (a full disk, for example): the next try may work; `conflict`: another server has written
  // since the last commit or load of this one, so this one has to stop. If an fsync fails with EIO, the process aborts,
  // because the content of the disk is then unknown.
  virtual Result<void> commit(const Commit& commit) = 0;

  virtual Result<std::unique_ptr<StoreReader>> reader() = 0;

  // The time of the newest event; 0 if there is none. Cheap.
  virtual Instant last_time() const = 0;

  // Whether acknowledged events may be missing, or this cannot be excluded: a backup was restored, or a copy was taken
  // over. Ask before the first commit.
  virtual bool is_set_back() const { return false; }

  // Bytes on disk. Any thread may call it.
  virtual std::uint64_t bytes() const = 0;

  // Deletes idempotency records older than `horizon`. Cheap; call it now and then.
  virtual Result<void> expire_idempotency(Instant horizon) = 0;

  // About the most that one step of pruning deletes, in bytes of events and specifications. A larger event goes alone.
  static constexpr std::int64_t kMostPrunedBytes = std::int64_t{4} << 20;

  // Deletes the first events up to this one, at most `limit`, in one transaction; a database deletes fewer if they are
  // large. Event 1 stays: it tells this state from others. A job that has ended goes with its last event, with its
  // attempts, and with its specification if that is of no other job. Jobs that have not ended stay whole. A reader that
  // began before sees what it saw. A step also gives a bounded amount of space back to the file system, where the
  // database can, and there may be steps that do only this.
  virtual Result<Pruned> prune(std::uint64_t to, std::size_t limit) = 0;

  // Replaces what `rewrite` has and commits `commit`, in one transaction. Rows of jobs, attempts and tables are those
  // of the commit, also if no event of it touched them. Precondition: no server runs on the state, and all that
  // `rewrite` replaces is stored. Errors: those of commit.
  virtual Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) = 0;

  // Afterwards the files of the database have nothing that was replaced or deleted. It may take long, and needs as much
  // memory and room as the database. Precondition: no server runs on the state, and there is no reader. Errors:
  // `unavailable`: the next try may work.
  virtual Result<void> compact() = 0;
};

}  // namespace ym
