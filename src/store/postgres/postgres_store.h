// The store on PostgreSQL 15 or later: several servers, of which one leads and writes.
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
  // How libpq says it: "host=... dbname=... user=..." or "postgresql://...". It has to lead to one
  // session (a pooler must not share it among transactions) and to the server that takes writes.
  std::string conninfo;
  std::string schema = "yardmaster";  // where all tables are; made on initialise
  // Begins with an empty state where there is none. A state that is there is opened as always.
  bool initialise = false;
  // Goes on with a state that is a copy of another one's, or was put back: from now on it is an original.
  bool take_over = false;
  // Who this server is, for people. Empty: host and process id.
  std::string name;
  // Where it answers requests, for those who asked another one. Empty: nobody is told.
  std::string url;
  // Another server may take over when the lease was not renewed for so long. Renewed three times as often.
  std::chrono::milliseconds lease{10'000};
  // How long a commit or load waits for a database that is away: a restart or failover of it. Once that
  // was in vain, each further one tries once.
  std::chrono::milliseconds patience{5'000};
  // How long a commit waits whose connection was lost under it, so that it may be stored or not.
  std::chrono::milliseconds doubt{30 * 60'000};
  // Nothing waits any longer when it is requested.
  std::stop_token stop{};
  // A connection on which nothing comes back for so long counts as lost.
  std::chrono::milliseconds answer_timeout{30'000};
  // Told once, from a thread of the store's, when another server has taken the lead over: sooner than by the next
  // commit, which may be long in coming.
  std::function<void(const Error&)> on_replaced{};
  // Told what in the database's settings takes something off the promises, one sentence each.
  std::function<void(std::string_view)> warn;
};

// Opens the state and leads: commits of a server that led before fail from now on with
// `conflict`, whenever they come. Gives the lead up when it is destroyed. Readers may outlive it.
//
// A commit whose connection is lost is looked for: it waits up to `doubt` and then says whether it
// is stored. Where the database does not come back, or nothing is to wait any longer, the process
// aborts, because what the database holds is then unknown. Where there is no such doubt, commit and
// load fail with `unavailable` after `patience`.
// It is set back (Store::is_set_back) from when it was taken over until the next commit: a backup that was put back
// into its own place cannot be told. Errors: `conflict`: another server leads and renews its lease, a newer version
// wrote the state, or it is a copy; `corrupt`: there is none, or it is damaged; `unavailable`: the database cannot be
// reached or does not let us in; `io`: the role lacks a right.
Result<std::unique_ptr<Store>> open_postgres_store(const PostgresOptions& options);

// What is committed, read beside the server that leads; nothing is changed.
// Errors: `corrupt`, `unavailable`, `io`; `conflict`: another version wrote it.
Result<std::unique_ptr<StoreReader>> open_postgres_history(const PostgresOptions& options);

// The present state, read beside the server that leads; nothing is changed. For servers that stand
// by, which follow it by the events from `tables.last_seq` on. Errors: as of open_postgres_history.
Result<LoadedState> read_postgres_state(const PostgresOptions& options);

// Whose tokens are known: they are no events. Errors: as of open_postgres_history.
Result<std::vector<TokenRecord>> read_postgres_tokens(const PostgresOptions& options);

// The place of which the state here is a copy, for people; nothing: it is none, or there is no state. A state that was
// dumped and put into another database, or into its own again, is one; a copy of the whole database system cannot be
// told. Errors: `unavailable`, `io`.
Result<std::optional<std::string>> postgres_copy_of(const PostgresOptions& options);

// Names the place for people. Errors: `invalid`: the address is none, or it holds a password, which
// belongs where libpq finds it (PGPASSFILE, PGPASSWORD).
Result<std::string> postgres_place(const PostgresOptions& options);

// Who leads; for servers that stand by. Nothing is changed.
struct PostgresLeader {
  std::string holder;  // its name and the number of its run
  std::string url;     // where it answers requests; may be empty
  std::int64_t term = 0;
  // Until another server may take over, if the lease is not renewed; 0: now.
  std::chrono::milliseconds left{0};
};
Result<PostgresLeader> postgres_leader(const PostgresOptions& options);

// The name of the key of the tokens that jobs are given.
inline constexpr std::string_view kJobTokenKey = "job-token";

// A secret that all servers of a state share: what is stored under this name, or `made` from now on
// where nothing is. It lies in the database as it is. From any thread.
Result<Secret> shared_secret(const PostgresOptions& options, std::string_view name, const Secret& made);

}  // namespace ym
