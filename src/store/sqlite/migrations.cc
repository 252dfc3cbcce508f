#include "store/sqlite/migrations.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <vector>

#include "store/sqlite/files/files.h"
#include "store/sqlite/meta.h"

namespace ym::sqlite {
namespace {

// A document (`doc`, `payload`) is the JSON of model/json. The columns beside it repeat parts of it, for searches. For
// `sum` see row_sum.h.
constexpr std::string_view kFirstSchema = R"sql(
CREATE TABLE meta(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_seq INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  last_time INTEGER NOT NULL,
  unfinished INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
CREATE TABLE specs(id INTEGER PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  queue TEXT NOT NULL,
  name TEXT NOT NULL,
  project TEXT NOT NULL,
  state TEXT NOT NULL,
  group_id INTEGER,
  submitted_at INTEGER NOT NULL,
  doc TEXT NOT NULL,
  sum INTEGER NOT NULL
);
CREATE INDEX jobs_by_owner ON jobs(owner, id);
CREATE INDEX jobs_by_queue ON jobs(queue, id);
CREATE INDEX jobs_by_name ON jobs(name, id);
CREATE INDEX jobs_by_project ON jobs(project, id);
CREATE INDEX jobs_by_state ON jobs(state, id);
CREATE INDEX jobs_by_group ON jobs(group_id, id) WHERE group_id IS NOT NULL;
CREATE TABLE attempts(
  job INTEGER NOT NULL,
  number INTEGER NOT NULL,
  doc TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (job, number)
) WITHOUT ROWID;
CREATE TABLE events(
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  type TEXT NOT NULL,
  v INTEGER NOT NULL,
  job INTEGER,
  attempt INTEGER,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  payload TEXT NOT NULL,
  sum INTEGER NOT NULL
);
CREATE INDEX events_by_job ON events(job, seq) WHERE job IS NOT NULL;
CREATE TABLE clusters(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE nodes(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE flavors(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE queues(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE idempotency(
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  jobs TEXT NOT NULL,
  at INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (principal, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency(at);
CREATE TABLE tokens(
  hash TEXT PRIMARY KEY,
  principal TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID;
)sql";

// A submit should touch few pages: indexes for searches of ended jobs leave out the other jobs, and idempotency records
// are only appended, because they are searched in memory. The conditions use OR: SQLite evaluates that without a table
// of its own, and recognises it in a search for one of these states.
constexpr std::string_view kFewerIndexes = R"sql(
DROP INDEX jobs_by_owner;
DROP INDEX jobs_by_queue;
DROP INDEX jobs_by_name;
DROP INDEX jobs_by_project;
DROP INDEX jobs_by_state;
CREATE INDEX jobs_unfinished ON jobs(id) WHERE
  state='HELD' OR state='QUEUED' OR state='STARTING' OR state='RUNNING' OR state='STOPPING' OR state='UNREACHABLE';
CREATE INDEX ended_by_owner ON jobs(owner, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_queue ON jobs(queue, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_name ON jobs(name, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_project ON jobs(project, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_state ON jobs(state, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
DROP INDEX idempotency_by_time;
ALTER TABLE idempotency RENAME TO idempotency_by_key;
CREATE TABLE idempotency(
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  jobs TEXT NOT NULL,
  at INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
INSERT INTO idempotency SELECT principal, key, request_hash, jobs, at, sum FROM idempotency_by_key ORDER BY at;
DROP TABLE idempotency_by_key;
)sql";

constexpr std::string_view kUsage = R"sql(
CREATE TABLE usage(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
)sql";

constexpr std::string_view kReservationsAndSpending = R"sql(
CREATE TABLE reservations(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE spending(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
)sql";

constexpr std::string_view kPolicies = R"sql(
CREATE TABLE policies(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
)sql";

// The version of the documents (model/json/document_version.h). The first commit writes it, because a migration cannot
// compute checksums. The table is replaced, because the text that ADD COLUMN leaves in the schema depends on SQLite.
constexpr std::string_view kDocuments = R"sql(
ALTER TABLE meta RENAME TO meta_without;
CREATE TABLE meta(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_seq INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  last_time INTEGER NOT NULL,
  unfinished INTEGER NOT NULL,
  documents INTEGER,
  sum INTEGER NOT NULL
);
INSERT INTO meta SELECT id, last_seq, last_id, epoch, last_time, unfinished, NULL, sum FROM meta_without;
DROP TABLE meta_without;
)sql";
constexpr std::size_t kSchemaWithDocuments = 6;

constexpr std::array kMigrations{Migration{kFirstSchema}, Migration{kFewerIndexes},
                                 Migration{kUsage},       Migration{kReservationsAndSpending},
                                 Migration{kPolicies},    Migration{kDocuments}};

std::string step_sql(const Migration& step, std::size_t version) {
  return fmt::format("{}; PRAGMA user_version={};", step.sql, version);
}

std::string named_table(std::string_view name) {
  return fmt::format("{}(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID", name);
}

Result<std::set<std::string>> schema_of(Database& database) {
  auto query = database.query("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema");
  if (!query) return std::unexpected(query.error());
  std::set<std::string> entries;
  while (true) {
    const auto row = query->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return entries;
    entries.emplace(query->text(0));
  }
}

// The tables must be those of the claimed version. A changed bit in the version or in the schema must not look like
// another schema. There may be more tables of named rows: the version does not say which of these there are.
Result<void> check_schema(Database& database, std::span<const Migration> made_by) {
  auto model = Database::open(":memory:", Access::write);
  if (!model) return std::unexpected(model.error());
  for (std::size_t i = 0; i < made_by.size(); ++i)
    if (auto done = (*model)->execute(step_sql(made_by[i], i + 1)); !done) return done;
  const auto expected = schema_of(**model);
  if (!expected) return std::unexpected(expected.error());
  auto found = schema_of(database);
  if (!found) return std::unexpected(found.error());
  (void)rows::each_named([&](std::string_view table) -> Result<void> {
    const auto entry = fmt::format("table {} CREATE TABLE {}", table, named_table(table));
    if (!expected->contains(entry)) found->erase(entry);
    return {};
  });
  if (*found == *expected) return {};
  return std::unexpected(
      damaged(database.file(), fmt::format("its tables are not those of schema {}", made_by.size())));
}

Result<void> copy_aside(Database& database, std::size_t version) {
  const auto target = fmt::format("{}.schema-{}.bak", database.file().string(), version);
  const auto unfinished = target + ".new";
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  if (auto made = create_private(unfinished); !made) return made;
  {
    auto copy = Database::open(unfinished, Access::write);
    if (!copy) return std::unexpected(copy.error());
    sqlite3_backup* backup = sqlite3_backup_init((*copy)->handle(), "main", database.handle(), "main");
    if (!backup) return std::unexpected((*copy)->error(sqlite3_extended_errcode((*copy)->handle())));
    sqlite3_backup_step(backup, -1);
    if (const int code = sqlite3_backup_finish(backup); code != SQLITE_OK) return std::unexpected((*copy)->error(code));
  }
  return rename_durably(unfinished, target);
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

Result<std::size_t> known_version(Database& database, std::span<const Migration> steps) {
  const auto version = database.integer("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version > std::ssize(steps))
    return rows::written_by_newer(database.file().string(), "schema", *version, std::ssize(steps));
  const auto known = static_cast<std::size_t>(std::max<std::int64_t>(*version, 0));
  if (known < kSchemaWithDocuments) return known;
  // Other checks report damage.
  const auto meta = read_meta(database);
  return meta || meta.error().code != ErrorCode::conflict ? Result<std::size_t>(known) : std::unexpected(meta.error());
}

Result<void> migrate(Database& database, std::span<const Migration> steps) {
  const auto version = known_version(database, steps);
  if (!version) return std::unexpected(version.error());
  const std::size_t done = *version;
  if (auto checked = check_schema(database, steps.first(done)); !checked) return checked;
  if (done > 0 && done < steps.size())
    if (auto copied = copy_aside(database, done); !copied) return copied;
  for (std::size_t i = done; i < steps.size(); ++i) {
    auto transaction = Transaction::begin(database, Transaction::Kind::write);
    if (!transaction) return std::unexpected(transaction.error());
    if (auto stepped = database.execute(step_sql(steps[i], i + 1)); !stepped) return stepped;
    if (auto committed = transaction->commit(); !committed) return committed;
  }
  return {};
}

Result<void> make_missing_tables(Database& database) {
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return std::unexpected(transaction.error());
  const auto made = rows::each_named([&](std::string_view table) {
    return database.execute(fmt::format("CREATE TABLE IF NOT EXISTS {}", named_table(table)));
  });
  return made ? transaction->commit() : made;
}

Result<bool> has_table(Database& database, std::string_view table) {
  const auto count =
      database.integer(fmt::format("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '{}'", table));
  if (!count) return std::unexpected(count.error());
  return *count > 0;
}

}  // namespace ym::sqlite
