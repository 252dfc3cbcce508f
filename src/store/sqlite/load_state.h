// Reads the present state back, and compares all that can be compared.
#pragma once

#include "store/sqlite/meta.h"

namespace ym::sqlite {

// Everything but jobs that have ended, from one snapshot. Errors: `corrupt` if a row,
// or the tables against `meta`, are not what was written.
Result<LoadedState> load_state(Database& database);

}  // namespace ym::sqlite
