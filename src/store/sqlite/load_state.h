// Reads the present state, and checks its rows against each other and against table meta.
#pragma once

#include "store/sqlite/meta.h"

namespace ym::sqlite {

// All rows except jobs that have ended, from one snapshot. Errors: `corrupt`: a row is damaged, or the tables do not
// agree with `meta`.
Result<LoadedState> load_state(Database& database);

}  // namespace ym::sqlite
