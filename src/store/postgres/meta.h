// The row of table meta (store/rows/meta.h), and the beginning of a commit.
#pragma once

#include "store/postgres/connection.h"
#include "store/rows/meta.h"

namespace ym::postgres {

struct Meta {
  std::uint64_t commits = 0;  // number of the last commit
  rows::Meta state;
  bool operator==(const Meta&) const = default;

  // The row after a commit of these events. Precondition: they continue the stored events without a gap.
  Meta after(const std::vector<Event>& events) const { return {commits + 1, state.after(events)}; }
};

// Errors: `corrupt`, also if there is no row; `conflict`: a newer version wrote documents.
Result<Meta> read_meta(Connection& connection);

// The first statement of each commit. It fails with `conflict` if `term` has ended, or if another writer has committed
// since `before`.
Statement begin_commit(std::int64_t term, const Meta& before, const Meta& after);

}  // namespace ym::postgres
