// Whether it is worth looking for victims at all.
#pragma once

#include "engine/cycle/cycle.h"

namespace ym::engine {

// False: no rule lets anybody who waits stop anybody, whatever room that would make. To be asked again
// when something was admitted or has left.
bool anybody_may_be_stopped(const Cycle& cycle);

}  // namespace ym::engine
