#include "store/sqlite/rewrite.h"

#include "model/json/codec.h"
#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

Result<void> replace_event(Database& database, const Event& event) {
  auto query = database.query(
      "INSERT OR REPLACE INTO events(seq, time, type, v, job, attempt, actor, reason, payload, sum) "
      "VALUES(?,?,?,?,?,?,?,?,?,?)");
  if (!query) return std::unexpected(query.error());
  const auto payload = json::encode(event.payload);
  bind_row(*query, "events", rows::cells(event, payload));
  return query->run();
}

Result<void> replace_spec(Database& database, SpecId id, const JobSpec& spec) {
  auto query = database.query("INSERT OR REPLACE INTO specs(id, doc, sum) VALUES(?,?,?)");
  if (!query) return std::unexpected(query.error());
  const auto doc = json::encode(spec);
  bind_row(*query, "specs", rows::cells(id, doc));
  return query->run();
}

Result<void> delete_of(Database& database, std::string_view sql, std::string_view principal) {
  auto query = database.query(sql);
  if (!query) return std::unexpected(query.error());
  query->bind(1, principal);
  return query->run();
}

}  // namespace

Result<void> write_rewrite(Database& database, const Rewrite& rewrite) {
  Result<void> done;
  for (const Event& event : rewrite.events)
    if (done) done = replace_event(database, event);
  for (const auto& [id, spec] : rewrite.specs)
    if (done) done = replace_spec(database, id, *spec);
  for (const auto* sql : {"DELETE FROM idempotency WHERE principal = ?", "DELETE FROM tokens WHERE principal = ?"})
    if (done) done = delete_of(database, sql, rewrite.principal);
  return done;
}

Result<void> compact(Database& database) {
  // The log has the pages as they were, until it is emptied.
  if (auto done = database.execute("VACUUM"); !done) return done;
  const auto busy = database.integer("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!busy) return std::unexpected(busy.error());
  if (*busy == 0) return {};
  return fail(ErrorCode::unavailable, "another program reads the database, so its log has what was deleted");
}

}  // namespace ym::sqlite
