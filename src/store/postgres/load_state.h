// Reads the present state, and checks its rows against each other and against table meta.
#pragma once

#include "store/postgres/meta.h"

namespace ym::postgres {

// All rows except jobs that have ended, and table meta, from one snapshot. Errors: `corrupt`: a row is damaged, or the
// tables do not agree with `meta`.
struct Loaded {
  LoadedState state;
  Meta meta;
};
Result<Loaded> load_state(Connection& connection);

Result<std::vector<TokenRecord>> load_tokens(Connection& connection);

}  // namespace ym::postgres
