// Meta: what the database says about itself as a whole.
//
// Derived from the events of each commit, not from the rows, and compared with the
// tables on loading: so that a truncated table is found.
#pragma once

#include "store/sqlite/database.h"
#include "store/store.h"

namespace ym::sqlite {

struct Meta {
  std::uint64_t last_seq = 0;
  std::uint64_t last_id = 0;
  std::uint64_t epoch = 0;
  Instant last_time;
  std::int64_t unfinished = 0;  // jobs that have not ended
  bool operator==(const Meta&) const = default;

  // What it is after these events. Precondition: they continue without a gap.
  Meta after(const std::vector<Event>& events) const;
};

// Errors: `corrupt`, also if there is no row.
Result<Meta> read_meta(Database& database);
// Of a database that is being made.
Result<void> write_meta(Database& database, const Meta& meta);
// Errors: `conflict` if what is stored is not `before`: somebody else has written.
Result<void> replace_meta(Database& database, const Meta& before, const Meta& after);

}  // namespace ym::sqlite
