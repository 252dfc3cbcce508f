// Reads the present state back, and compares all that can be compared.
#pragma once

#include "store/postgres/meta.h"

namespace ym::postgres {

// Everything but jobs that have ended, and what the database says about itself, from one
// moment. Errors: `corrupt` if a row, or the tables against `meta`, are not what was written.
struct Loaded {
  LoadedState state;
  Meta meta;
};
Result<Loaded> load_state(Connection& connection);

Result<std::vector<TokenRecord>> load_tokens(Connection& connection);

}  // namespace ym::postgres
