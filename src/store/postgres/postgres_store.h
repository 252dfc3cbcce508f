// The store on PostgreSQL 15 or later. Several servers may use it; one leads and writes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "store/store.h"

namespace ym {

struct PostgresOptions {
  // In libpq's syntax: "host=... dbname=... user=..." or "postgresql://...". It must lead to one session (a pooler must
  // not share it among transactions) and to the server that takes writes.
  std::string conninfo;
  std::string schema = "yardmaster";  // holds all tables; made on initialise
  // Begins with an empty state if there is none. An existing state is opened as usual.
  bool initialise = false;
  // Goes on with a state that is a copy or was restored. It is an original from now on.
  bool take_over = false;
  // The name of this server, for messages. Empty: host and process id.
  std::string name;
  // Where this server answers requests. Other servers refer clients to it. Empty: they do not.
  std::string url;
  // Another server may take over when the lease was not renewed for this time. It is renewed three times as often.
  std::chrono::milliseconds lease{10'000};
  // How long a commit or load waits for a database that is away, as in a restart or failover. After one wait without
  // success, each further call tries once.
  std::chrono::milliseconds wait_timeout{5'000};
  // How long a commit waits for the database if the connection was lost during it, so that its outcome is unknown.
  std::chrono::milliseconds outcome_timeout{30 * 60'000};
  // A stop request ends all waits.
  std::stop_token stop{};
  // A connection without an answer for this time counts as lost.
  std::chrono::milliseconds answer_timeout{30'000};
  // Called once, on a thread of the store, when another server has taken over the lead. This is sooner than the next
  // commit, which may be late.
  std::function<void(const Error&)> on_replaced{};
  // Called with one sentence for each setting of the database that weakens durability.
  std::function<void(std::string_view)> warn;
};

// Opens the state and leads. From now on, commits of a server that led before fail with `conflict`, whenever they
// arrive. The destructor gives up the lead. Readers may outlive the store.
//
// If the connection is lost during a commit, the commit waits up to `outcome_timeout` for the database and then finds
// out whether it is stored. If the database does not come back, or a stop is requested, the process aborts, because the
// outcome is then unknown. If the outcome is known, commit and load fail with `unavailable` after `wait_timeout`. A
// state that was taken over is set back (Store::is_set_back) until the next commit. A backup of a whole database system
// that was restored is not recognised. Errors: `conflict`: another server leads and renews its lease, a newer version
// wrote the state, or the state is a copy; `corrupt`: there is no state, or it is damaged; `unavailable`: the database
// cannot be reached or refuses the login; `io`: the role lacks a privilege.
Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options);

// Reads committed history beside the server that leads. It changes nothing.
// Errors: `corrupt`, `unavailable`, `io`; `conflict`: another version wrote it.
Result<std::unique_ptr<StoreReader>> open_postgres_history(const PostgresOptions& options);

// The present state, read beside the server that leads. Nothing is changed. Standby servers load it and follow it by
// the events after `tables.last_seq`. Errors: as for open_postgres_history.
Result<LoadedState> read_postgres_state(const PostgresOptions& options);

// If the state here is a copy: its home, for messages. Nothing: it is no copy, or there is no state. A state is a copy
// if it was dumped and restored into another database, or into its own. A copy of the whole database system is not
// recognised. Errors: `unavailable`, `io`.
Result<std::optional<std::string>> postgres_copy_of(const PostgresOptions& options);

// The place, for messages. Errors: `invalid`: the address is malformed, or it holds a password. libpq takes passwords
// from PGPASSFILE or PGPASSWORD.
Result<std::string> postgres_place(const PostgresOptions& options);

// The server that leads. Standby servers ask for it. Nothing is changed.
struct PostgresLeader {
  std::string holder;  // its name and the number of its run
  std::string url;     // where it answers requests; may be empty
  std::int64_t term = 0;
  // Time until another server may take over, if the lease is not renewed; 0: now.
  std::chrono::milliseconds left{0};
};
Result<PostgresLeader> postgres_leader(const PostgresOptions& options);

// The name of the key that signs the tokens of jobs.
inline constexpr std::string_view kJobTokenKey = "job-token";

// A secret that all servers of a state share. Returns the stored one, or stores `made` if there is none. The database
// holds it unencrypted. Any thread may call it.
Result<Secret> shared_secret(const PostgresOptions& options, std::string_view name, const Secret& made);

}  // namespace ym
