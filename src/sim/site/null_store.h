// A null store: it accepts every commit and stores nothing, so that a simulation of millions of jobs needs memory only
// for live jobs. Control does not read back what it keeps in memory. Readers find no history.
#pragma once

#include <memory>

#include "store/store.h"

namespace ym::sim {

// Precondition: load() is called before the first commit, and never again. A store that never fails need not be read
// back.
std::unique_ptr<Store> make_null_store();

}  // namespace ym::sim
