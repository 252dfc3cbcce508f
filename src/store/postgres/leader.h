// Who may write: one row of the database, with a term that counts up.
//
// A commit holds the row while it lasts and fails where its term has ended, so that a
// server that was replaced writes nothing more, however late it wakes up. The lease says
// only when another server may try; nothing depends on anybody's clock but the database's.
#pragma once

#include <chrono>
#include <optional>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

struct Leader {
  std::int64_t term = 0;
  std::string holder;                 // who: a name, and what tells its runs apart
  std::string url;                    // where it answers requests
  bool has_lapsed = true;             // another server may take over
  std::chrono::milliseconds left{0};  // until it has, if the lease is not renewed
};

Result<Leader> read_leader(Connection& connection);

// Who wants to lead.
struct Claim {
  std::string holder;
  std::string url;
  std::chrono::milliseconds lease;
};

enum class From {
  itself,  // a holder may begin a new term at any time, but not where another has led since
  anyone,  // also from another whose lease has lapsed
};

// Begins a new term on this connection, and waits for the end of a commit of the one
// before. Errors: `conflict`: another server leads.
Result<std::int64_t> take_lead(Connection& connection, From from, const Claim& claim);

// Errors: `conflict`: the term has ended.
Result<void> renew_lease(Connection& connection, std::int64_t term);

// Another server need not wait for the end of the lease.
Result<void> give_up_lead(Connection& connection, std::int64_t term);

// How many commits there were when the first term after this one began. Precondition: one has begun.
Result<std::uint64_t> commits_until_end_of(Connection& connection, std::int64_t term);

}  // namespace ym::postgres
