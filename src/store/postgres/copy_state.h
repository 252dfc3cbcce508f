// The whole state of a store into an empty place of a database.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "store/postgres/postgres_store.h"

namespace ym {

struct CopyOptions {
  // `initialise` is implied. `take_over` is not heeded: a place that holds a copy is refused.
  PostgresOptions to;
  // Called when everything is written and compared, before it is made durable: the last moment at
  // which the source can be marked. What it fails with, the copy fails with.
  std::function<Result<void>()> before_commit;
};

struct Copied {
  std::map<std::string, std::uint64_t> rows;  // by table
  // A commit whose outcome stayed unknown for `to.doubt`: only looking there tells.
  bool in_doubt = false;
};

// Copies every row and every event in one transaction, reads them back in it, and compares their
// number and checksums. A state that is set back is so there, too. Nothing writes to `from` meanwhile: its caller is
// who could. Errors: `conflict`: there is a state already, or a copy of one, or a server leads there; `corrupt`: what
// was read is not whole, or what was written is not what was read; those of open_postgres_store. Nothing is stored
// then.
Result<Copied> copy_state(Store& from, const CopyOptions& options);

}  // namespace ym
