// libsodium, ready for use. Private to control/state.
#pragma once

#include <sodium.h>

#include "base/assert.h"

namespace ym {

// Must run before any other call of the library. Repeated calls, from any thread, are harmless.
inline void prepare_sodium() { YM_ASSERT(sodium_init() >= 0); }

}  // namespace ym
