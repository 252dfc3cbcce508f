#include "store/postgres/migrations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "store/postgres/meta.h"

namespace ym::postgres {
namespace {

// A document (`doc`, `payload`) is the JSON of model/json. The columns beside it repeat parts of it, for searches.
// Texts that users wrote are `bytea`: see parameters.h. A submit touches few indexes, as in SQLite: indexes for
// searches of ended jobs leave out the other jobs.
constexpr std::string_view kTables = R"sql(
CREATE TABLE meta(
  one boolean PRIMARY KEY CHECK (one),
  commits bigint NOT NULL,
  last_seq bigint NOT NULL,
  last_id bigint NOT NULL,
  epoch bigint NOT NULL,
  last_time bigint NOT NULL,
  unfinished bigint NOT NULL
);
INSERT INTO meta VALUES(true, 0, 0, 0, 0, 0, 0);
CREATE TABLE specs(id bigint PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE jobs(
  id bigint PRIMARY KEY,
  owner bytea NOT NULL,
  queue bytea NOT NULL,
  name bytea NOT NULL,
  project bytea NOT NULL,
  state text NOT NULL,
  group_id bigint,
  submitted_at bigint NOT NULL,
  doc bytea NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX jobs_by_group ON jobs(group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX jobs_unfinished ON jobs(id) WHERE
  state IN ('HELD', 'QUEUED', 'STARTING', 'RUNNING', 'STOPPING', 'UNREACHABLE');
CREATE INDEX ended_by_owner ON jobs(owner, id) WHERE state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE INDEX ended_by_queue ON jobs(queue, id) WHERE state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE INDEX ended_by_name ON jobs(name, id) WHERE state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE INDEX ended_by_project ON jobs(project, id) WHERE state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE INDEX ended_by_state ON jobs(state, id) WHERE state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT');
CREATE TABLE attempts(
  job bigint NOT NULL,
  number bigint NOT NULL,
  doc bytea NOT NULL,
  PRIMARY KEY (job, number)
) WITH (fillfactor = 80);
CREATE TABLE events(
  seq bigint PRIMARY KEY,
  time bigint NOT NULL,
  type text NOT NULL,
  v bigint NOT NULL,
  job bigint,
  attempt bigint,
  actor bytea NOT NULL,
  reason bytea NOT NULL,
  payload bytea NOT NULL
);
CREATE INDEX events_by_job ON events(job, seq) WHERE job IS NOT NULL;
CREATE TABLE clusters(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE nodes(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE flavors(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE queues(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE reservations(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE policies(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE usage(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE spending(name bytea PRIMARY KEY, doc bytea NOT NULL);
CREATE TABLE idempotency(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  principal bytea NOT NULL,
  key bytea NOT NULL,
  request_hash bytea NOT NULL,
  jobs bytea NOT NULL,
  at bigint NOT NULL
);
CREATE TABLE tokens(hash bytea PRIMARY KEY, principal bytea NOT NULL, role bytea NOT NULL, created_at bigint NOT NULL);
)sql";

// The leader. `term` is a key. So a commit that locks it (FOR KEY SHARE) prevents a new term but not a renewal of the
// lease. `terms` stores the number of commits at the beginning of each term. With it, a server that lost its connection
// in the middle of a commit can find out whether the commit was stored, also when another server leads since.
constexpr std::string_view kLeader = R"sql(
CREATE TABLE leader(
  term bigint PRIMARY KEY,
  one boolean NOT NULL UNIQUE CHECK (one),
  holder bytea NOT NULL,
  url bytea NOT NULL,
  lease_ms bigint NOT NULL,
  renewed_at timestamptz NOT NULL,
  backend bigint NOT NULL,
  backend_start timestamptz
);
INSERT INTO leader VALUES(0, true, '', '', 0, '-infinity', 0, NULL);
CREATE TABLE terms(
  term bigint PRIMARY KEY,
  holder bytea NOT NULL,
  since timestamptz NOT NULL,
  commits bigint NOT NULL
);

CREATE FUNCTION has_lapsed(leader) RETURNS boolean LANGUAGE sql AS
$$ SELECT $1.renewed_at + $1.lease_ms * interval '1 millisecond' < clock_timestamp() $$;

-- The new term, or null if another server leads and may not be replaced, which it may once its
-- lease has lapsed. The connection of the one before is cut
-- first: what it has begun and cannot end, because its process is stopped, would be waited for.
CREATE FUNCTION take_lead(new_holder bytea, new_url bytea, new_lease_ms bigint, replaces bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  new_term bigint;
BEGIN
  BEGIN
    PERFORM pg_terminate_backend(a.pid) FROM leader l JOIN pg_stat_activity a
      ON a.pid = l.backend AND a.backend_start = l.backend_start
      WHERE (l.holder = new_holder OR replaces = 1 AND has_lapsed(l)) AND a.pid <> pg_backend_pid();
  EXCEPTION WHEN insufficient_privilege THEN NULL;
  END;
  UPDATE leader l SET term = l.term + 1, holder = new_holder, url = new_url, lease_ms = new_lease_ms,
    renewed_at = clock_timestamp(), backend = pg_backend_pid(),
    backend_start = (SELECT a.backend_start FROM pg_stat_activity a WHERE a.pid = pg_backend_pid())
    WHERE l.holder = new_holder OR replaces = 1 AND has_lapsed(l) RETURNING l.term INTO new_term;
  IF new_term IS NOT NULL THEN
    INSERT INTO terms SELECT new_term, new_holder, clock_timestamp(), m.commits FROM meta m;
  END IF;
  RETURN new_term;
END $$;

CREATE FUNCTION must_lead(my_term bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM leader WHERE term = my_term FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'term % has ended', my_term USING ERRCODE = 'YM001'; END IF;
END $$;

CREATE FUNCTION begin_commit(my_term bigint, before bigint, new_last_seq bigint, new_last_id bigint,
  new_epoch bigint, new_last_time bigint, new_unfinished bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM must_lead(my_term);
  UPDATE meta SET commits = before + 1, last_seq = new_last_seq, last_id = new_last_id, epoch = new_epoch,
    last_time = new_last_time, unfinished = new_unfinished WHERE commits = before;
  IF NOT FOUND THEN RAISE EXCEPTION 'commit % is there already', before + 1 USING ERRCODE = 'YM001'; END IF;
END $$;
)sql";

// Secrets that the servers share. Clients never see them.
constexpr std::string_view kSecrets = R"sql(
CREATE TABLE secrets(name text PRIMARY KEY, value bytea NOT NULL);
)sql";

// The version of the documents (model/json/document_version.h). The older begin_commit stays: a replaced server of an
// earlier version still calls it when it resumes, and learns that it was replaced.
constexpr std::string_view kDocuments = R"sql(
ALTER TABLE meta ADD COLUMN documents bigint NOT NULL DEFAULT 1;
CREATE FUNCTION begin_commit(my_term bigint, before bigint, new_last_seq bigint, new_last_id bigint,
  new_epoch bigint, new_last_time bigint, new_unfinished bigint, new_documents bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM must_lead(my_term);
  UPDATE meta SET commits = before + 1, last_seq = new_last_seq, last_id = new_last_id, epoch = new_epoch,
    last_time = new_last_time, unfinished = new_unfinished, documents = new_documents WHERE commits = before;
  IF NOT FOUND THEN RAISE EXCEPTION 'commit % is there already', before + 1 USING ERRCODE = 'YM001'; END IF;
END $$;
)sql";
constexpr std::size_t kSchemaWithDocuments = 4;

constexpr std::array kMigrations{Migration{kTables}, Migration{kLeader}, Migration{kSecrets}, Migration{kDocuments}};

Result<std::size_t> stored_version(Connection& connection) {
  const auto exists = connection.run("SELECT 1::bigint WHERE to_regclass('schema_version') IS NOT NULL");
  if (!exists) return std::unexpected(exists.error());
  if (exists->size() == 0) return 0;
  const auto version = connection.run("SELECT max(version) FROM schema_version");
  if (!version) return std::unexpected(version.error());
  return static_cast<std::size_t>((*version)[0].integer(0));
}

}  // namespace

Result<std::set<std::string>> missing_tables(Connection& connection) {
  std::vector<std::string> values;
  (void)rows::each_named([&](std::string_view table) -> Result<void> {
    values.push_back(fmt::format("('{}')", table));
    return {};
  });
  const auto answer =
      connection.run(fmt::format("SELECT name FROM (VALUES {}) AS named(name) WHERE to_regclass(name) "
                                 "IS NULL",
                                 fmt::join(values, ", ")));
  if (!answer) return std::unexpected(answer.error());
  std::set<std::string> missing;
  for (int i = 0; i < answer->size(); ++i) missing.emplace((*answer)[i].bytes(0));
  return missing;
}

std::span<const Migration> migrations() { return kMigrations; }

Result<std::size_t> known_version(Connection& connection, std::span<const Migration> steps) {
  const auto version = stored_version(connection);
  if (!version) return version;
  if (*version > steps.size())
    return rows::written_by_newer(connection.place(), "schema", static_cast<std::int64_t>(*version), std::ssize(steps));
  if (*version < kSchemaWithDocuments) return version;
  const auto meta = read_meta(connection);
  return meta ? version : std::unexpected(meta.error());
}

namespace {

Result<void> take_steps(Connection& connection, const std::string& schema, std::size_t done,
                        std::span<const Migration> steps) {
  Parameters name;
  name.add_text(schema);
  // An administrator may have made the schema before.
  const auto missing = connection.run("SELECT 1 WHERE to_regnamespace(quote_ident($1)) IS NULL", name);
  if (!missing) return std::unexpected(missing.error());
  std::string sql;
  if (missing->size() == 1) sql += fmt::format("CREATE SCHEMA {};", connection.quoted(schema));
  if (done == 0) sql += "CREATE TABLE schema_version(version bigint PRIMARY KEY);";
  for (std::size_t i = done; i < steps.size(); ++i)
    sql += fmt::format("{}; INSERT INTO schema_version VALUES({});", steps[i].sql, i + 1);
  return connection.execute(sql);
}

// Does nothing if none is missing: the server's role may have lost the right to make tables.
Result<void> make_missing_tables(Connection& connection) {
  const auto missing = missing_tables(connection);
  if (!missing) return std::unexpected(missing.error());
  std::string sql;
  for (const auto& table : *missing)
    sql += fmt::format("CREATE TABLE IF NOT EXISTS {}(name bytea PRIMARY KEY, doc bytea NOT NULL);", table);
  return sql.empty() ? Result<void>() : connection.execute(sql);
}

}  // namespace

Result<void> migrate(Connection& connection, const std::string& schema, std::span<const Migration> steps) {
  auto transaction = Transaction::begin(connection, Access::write);
  if (!transaction) return std::unexpected(transaction.error());
  Parameters name;
  name.add_text(schema);
  if (const auto locked = connection.run("SELECT 1 FROM pg_advisory_xact_lock(hashtext('yardmaster ' || $1))", name);
      !locked)
    return std::unexpected(locked.error());
  const auto version = known_version(connection, steps);
  if (!version) return std::unexpected(version.error());
  if (*version < steps.size())
    if (auto stepped = take_steps(connection, schema, *version, steps); !stepped) return stepped;
  if (auto made = make_missing_tables(connection); !made) return made;
  return transaction->commit();
}

}  // namespace ym::postgres
