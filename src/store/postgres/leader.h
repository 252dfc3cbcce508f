// The right to write: one row of the database, with a term that counts up.
//
// A commit locks the row, and fails if its term has ended. So a server that was replaced writes nothing more, however
// late it resumes. The lease only decides when another server may try. Only the database's clock matters.
#pragma once

#include <chrono>
#include <optional>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

struct Leader {
  std::int64_t term = 0;
  std::string holder;                 // the server's name, and the number of its run
  std::string url;                    // where the server answers requests
  bool has_lapsed = true;             // another server may take over
  std::chrono::milliseconds left{0};  // time to the end of the lease, if it is not renewed
};

Result<Leader> read_leader(Connection& connection);

// A server that wants to lead.
struct Claim {
  std::string holder;
  std::string url;
  std::chrono::milliseconds lease;
};

enum class From {
  itself,  // a holder may begin a new term at any time, unless another server has led since
  anyone,  // also from another server, if its lease has lapsed
};

// Begins a new term on this connection. Waits until a commit of the previous term has ended. Errors: `conflict`:
// another server leads.
Result<std::int64_t> take_lead(Connection& connection, From from, const Claim& claim);

// Errors: `conflict`: the term has ended.
Result<void> renew_lease(Connection& connection, std::int64_t term);

// Another server need not wait for the end of the lease after this.
Result<void> give_up_lead(Connection& connection, std::int64_t term);

// The number of commits when the first term after this one began. Precondition: one has begun.
Result<std::uint64_t> commits_until_end_of(Connection& connection, std::int64_t term);

}  // namespace ym::postgres
