// A store that forgets: it takes every commit and keeps nothing of it, so that a simulation of millions of jobs needs
// memory for those that live alone. Control never reads back what it keeps itself; whoever asks for history finds none.
#pragma once

#include <memory>

#include "store/store.h"

namespace ym::sim {

// Precondition: load() is called before the first commit, and never again: a store that never fails is not read back.
std::unique_ptr<Store> make_lean_store();

}  // namespace ym::sim
