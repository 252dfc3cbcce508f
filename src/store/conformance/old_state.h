// A state as a server of an earlier version left it when it was killed (tests/old_states), and what is in it.
#pragma once

#include "store/store.h"

namespace ym::testing {

// Checks what is there of each kind of row, and that it goes on with a commit. Precondition: `store` is open on
// documents-1, and nothing was committed since.
void expect_old_state(Store& store);

}  // namespace ym::testing
