// A state that a server of an earlier version left when it was killed (tests/old_states), and its content.
#pragma once

#include "store/store.h"

namespace ym::testing {

// Checks each kind of row, and that a commit succeeds. Preconditions: `store` is open on documents-1, and there was no
// commit since it was opened.
void expect_old_state(Store& store);

}  // namespace ym::testing
