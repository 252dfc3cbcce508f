#include "store/sqlite/load_state.h"

#include <fmt/format.h>

#include "store/rows/assembly.h"
#include "store/sqlite/meta.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/rows.h"

namespace ym::sqlite {
namespace {

class Loader {
 public:
  Loader(Database& database, const Meta& meta) : database_(database), specs_(database), assembly_(meta) {}

  Result<LoadedState> load() {
    Result<void> done = check_last_event();
    if (done) done = load_jobs();
    if (done) done = load_attempts();
    if (done) done = rows::each_named([this](std::string_view table) { return load_named(table); });
    if (done) done = load_idempotency();
    if (done) done = load_tokens();
    if (!done) return std::unexpected(done.error());
    return assembly_.take();
  }

 private:
  Result<void> located(const Result<void>& checked) {
    if (checked) return checked;
    return std::unexpected(damaged(database_.file(), checked.error().message));
  }

  template <class Take>
  Result<void> each(std::string_view sql, Take take) {
    auto query = database_.query(sql);
    if (!query) return std::unexpected(query.error());
    return for_each_row(*query, take);
  }

  Result<void> check_last_event() {
    std::optional<Event> last;
    auto read = each(fmt::format("{} ORDER BY seq DESC LIMIT 1", kSelectEvents), [&](const Query& row) -> Result<void> {
      auto event = read_event(row, specs_);
      if (!event) return std::unexpected(event.error());
      last = std::move(*event);
      return {};
    });
    if (!read) return read;
    return located(assembly_.check_last(last));
  }

  Result<void> load_jobs() {
    auto read =
        each(fmt::format("{} INDEXED BY jobs_unfinished WHERE state='HELD' OR state='QUEUED' OR state='STARTING' OR "
                         "state='RUNNING' OR state='STOPPING' OR state='UNREACHABLE'",
                         kSelectJobs),
             [&](const Query& row) -> Result<void> {
               auto job = read_job(row, specs_);
               if (!job) return std::unexpected(job.error());
               return located(assembly_.add(std::move(*job)));
             });
    if (!read) return read;
    return located(assembly_.check_jobs());
  }

  Result<void> load_attempts() {
    for (const auto& [id, job] : assembly_.tables().jobs) {
      if (job.attempts == 0) continue;
      auto query = database_.query(fmt::format("{} WHERE job = ?", kSelectAttempts));
      if (!query) return std::unexpected(query.error());
      query->bind(1, column(id));
      auto read = for_each_row(*query, [&](const Query& row) -> Result<void> {
        auto attempt = read_attempt(row);
        if (!attempt) return std::unexpected(attempt.error());
        assembly_.add(std::move(*attempt));
        return {};
      });
      if (!read) return read;
    }
    return located(assembly_.check_attempts());
  }

  // A state that is only read may come from a version that did not know the table. It has no rows of it then.
  Result<void> load_named(std::string_view table) {
    const auto exists = has_table(database_, table);
    if (!exists) return std::unexpected(exists.error());
    if (!*exists) return {};
    return each(fmt::format("SELECT name, doc, sum FROM {}", table),
                [&](const Query& row) { return read_named(row, table, assembly_.tables()); });
  }

  Result<void> load_idempotency() {
    return each("SELECT principal, key, request_hash, jobs, at, sum FROM idempotency ORDER BY rowid",
                [&](const Query& row) -> Result<void> {
                  auto record = read_idempotency(row);
                  if (!record) return std::unexpected(record.error());
                  assembly_.add(std::move(*record));
                  return {};
                });
  }

  Result<void> load_tokens() {
    return each("SELECT hash, principal, role, created_at, sum FROM tokens ORDER BY hash",
                [&](const Query& row) -> Result<void> {
                  auto token = read_token(row);
                  if (!token) return std::unexpected(token.error());
                  assembly_.add(std::move(*token));
                  return {};
                });
  }

  Database& database_;
  SpecReader specs_;
  rows::Assembly assembly_;
};

}  // namespace

Result<LoadedState> load_state(Database& database) {
  auto transaction = Transaction::begin(database, Transaction::Kind::read);
  if (!transaction) return std::unexpected(transaction.error());
  const auto meta = read_meta(database);
  if (!meta) return std::unexpected(meta.error());
  return Loader(database, *meta).load();
}

}  // namespace ym::sqlite
