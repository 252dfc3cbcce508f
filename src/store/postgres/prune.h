// Deletes old events, and the jobs that end with them.
#pragma once

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

// One transaction, as Store::prune. `after`: events up to this one are deleted already: the index still has entries of
// deleted rows, which a search from the first one would pass each time. Errors: `conflict`: the term has ended.
Result<Pruned> prune(Connection& connection, std::int64_t term, std::uint64_t after, std::uint64_t to,
                     std::size_t limit);

}  // namespace ym::postgres
