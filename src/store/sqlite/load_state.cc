#include "store/sqlite/load_state.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "store/sqlite/row_sum.h"
#include "store/sqlite/rows.h"

namespace ym::sqlite {
namespace {

class Loader {
 public:
  explicit Loader(Database& database) : database_(database), specs_(database) {}

  Result<LoadedState> load() {
    auto meta = read_meta(database_);
    if (!meta) return std::unexpected(meta.error());
    auto& tables = state_.tables;
    tables.last_seq = meta->last_seq;
    tables.last_id = meta->last_id;
    tables.epoch = meta->epoch;
    tables.last_time = meta->last_time;
    Result<void> done = check_last_event(*meta);
    if (done) done = load_jobs(*meta);
    if (done) done = load_attempts();
    if (done) done = load_named("clusters", tables.clusters);
    if (done) done = load_named("nodes", tables.nodes);
    if (done) done = load_named("flavors", tables.flavors);
    if (done) done = load_named("queues", tables.queues);
    if (done) done = load_named("reservations", tables.reservations);
    if (done) done = load_named("policies", tables.policies);
    if (done) done = load_named("usage", tables.usage);
    if (done) done = load_named("spending", tables.spending);
    if (done) done = load_idempotency();
    if (done) done = load_tokens();
    if (!done) return std::unexpected(done.error());
    return std::move(state_);
  }

 private:
  std::unexpected<Error> bad(std::string_view what) { return std::unexpected(damaged(database_.file(), what)); }

  template <class Take>
  Result<void> each(std::string_view sql, Take take) {
    auto query = database_.query(sql);
    if (!query) return std::unexpected(query.error());
    return for_each_row(*query, take);
  }

  Result<void> check_last_event(const Meta& meta) {
    std::uint64_t seq = 0;
    Instant time;
    auto read = each(fmt::format("{} ORDER BY seq DESC LIMIT 1", kSelectEvents), [&](const Query& row) -> Result<void> {
      const auto event = read_event(row, specs_);
      if (!event) return std::unexpected(event.error());
      seq = event->seq;
      time = event->time;
      return {};
    });
    if (!read) return read;
    if (seq == meta.last_seq && time == meta.last_time) return {};
    return bad(fmt::format("the last event is {}, but {} were written", seq, meta.last_seq));
  }

  Result<void> load_jobs(const Meta& meta) {
    auto read =
        each(fmt::format("{} INDEXED BY jobs_unfinished WHERE state='HELD' OR state='QUEUED' OR state='STARTING' OR "
                         "state='RUNNING' OR state='STOPPING' OR state='UNREACHABLE'",
                         kSelectJobs),
             [&](const Query& row) -> Result<void> {
               auto job = read_job(row, specs_);
               if (!job) return std::unexpected(job.error());
               if (is_terminal(job->state) || job->id.value > meta.last_id)
                 return bad(fmt::format("job {} is listed wrongly", job->id.value));
               state_.tables.jobs.insert_or_assign(job->id, std::move(*job));
               return {};
             });
    if (!read) return read;
    if (std::ssize(state_.tables.jobs) == meta.unfinished) return {};
    return bad(fmt::format("there are {} unfinished jobs, but there should be {}", state_.tables.jobs.size(),
                           meta.unfinished));
  }

  Result<void> load_attempts() {
    for (const auto& [id, job] : state_.tables.jobs) {
      if (job.attempts == 0) continue;
      std::int32_t count = 0;
      auto query = database_.query(fmt::format("{} WHERE job = ? ORDER BY number", kSelectAttempts));
      if (!query) return std::unexpected(query.error());
      query->bind(1, column(id));
      auto read = for_each_row(*query, [&](const Query& row) -> Result<void> {
        auto attempt = read_attempt(row);
        if (!attempt) return std::unexpected(attempt.error());
        if (attempt->number != ++count) return bad(fmt::format("attempt {}.{} is missing", id.value, count));
        state_.tables.attempts.emplace(attempt->key(), std::move(*attempt));
        return {};
      });
      if (!read) return read;
      if (count != job.attempts) return bad(fmt::format("attempt {}.{} is missing", id.value, job.attempts));
    }
    return {};
  }

  template <class Row>
  Result<void> load_named(std::string_view table, std::map<std::string, Row>& rows) {
    return each(fmt::format("SELECT name, doc, sum FROM {}", table), [&](const Query& row) -> Result<void> {
      auto object = read_named<Row>(row, table);
      if (!object) return std::unexpected(object.error());
      rows.insert_or_assign(object->name, std::move(*object));
      return {};
    });
  }

  // As they were written: of several with one key the last one is true.
  Result<void> load_idempotency() {
    std::map<std::pair<std::string, std::string>, IdempotencyRecord> by_key;
    auto read = each("SELECT principal, key, request_hash, jobs, at, sum FROM idempotency ORDER BY rowid",
                     [&](const Query& row) -> Result<void> {
                       if (auto checked = check_row(row, "idempotency"); !checked) return checked;
                       IdempotencyRecord record{.principal = std::string(row.text(0)),
                                                .key = std::string(row.text(1)),
                                                .request_hash = std::string(row.text(2)),
                                                .at = {row.integer(4)}};
                       const auto jobs = read_document(row, 3);
                       if (!jobs) return std::unexpected(jobs.error());
                       if (!jobs->is_array()) return bad("an idempotency record has no list of jobs");
                       for (const auto& id : jobs->get_array()) {
                         if (!id.is_int64()) return bad("an idempotency record names a job that is no number");
                         record.jobs.push_back(JobId{static_cast<std::uint64_t>(id.get_int64())});
                       }
                       by_key.insert_or_assign({record.principal, record.key}, std::move(record));
                       return {};
                     });
    if (!read) return read;
    for (auto& [key, record] : by_key) state_.idempotency.push_back(std::move(record));
    return {};
  }

  Result<void> load_tokens() {
    return each("SELECT hash, principal, role, created_at, sum FROM tokens ORDER BY hash",
                [&](const Query& row) -> Result<void> {
                  if (auto checked = check_row(row, "tokens"); !checked) return checked;
                  state_.tokens.push_back({.hash = std::string(row.text(0)),
                                           .principal = std::string(row.text(1)),
                                           .role = std::string(row.text(2)),
                                           .created_at = {row.integer(3)}});
                  return {};
                });
  }

  Database& database_;
  SpecReader specs_;
  LoadedState state_;
};

}  // namespace

Result<LoadedState> load_state(Database& database) {
  auto transaction = Transaction::begin(database, Transaction::Kind::read);
  if (!transaction) return std::unexpected(transaction.error());
  return Loader(database).load();
}

}  // namespace ym::sqlite
