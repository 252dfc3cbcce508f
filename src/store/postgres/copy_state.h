// Copies the whole state of a store into an empty place of a database.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "store/postgres/postgres_store.h"

namespace ym {

struct CopyOptions {
  // `initialise` is implied. `take_over` is ignored: a place that holds a copy is refused.
  PostgresOptions to;
  // Called after everything is written and compared, before the transaction is committed. This is the last moment to
  // mark the source. If it returns an error, the copy fails with that error.
  std::function<Result<void>()> before_commit;
};

struct Copied {
  std::map<std::string, std::uint64_t> rows;  // by table
  // The outcome of the commit was unknown for `to.outcome_timeout`. Look into the database to find out.
  bool in_doubt = false;
};

// Copies every row and every event in one transaction, reads them back in it, and compares their number and checksums.
// Events that have moved to segments of the history stay there: the copy has the rows of the segments.
// If `from` is set back, the copy is, too. Precondition: `from` has no writer meanwhile; the caller ensures that.
// Errors: `conflict`: the place has a state or a copy of one, or a server leads there; `corrupt`: the source is
// damaged, or the copy differs from it; those of open_postgres_store. After an error nothing is stored.
Result<Copied> copy_state(Store& from, const CopyOptions& options);

}  // namespace ym
