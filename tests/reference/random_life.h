// What happens to the attempts of a random world.
#pragma once

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {

// Some attempts start, save, are lost, come back, are stopped by their users, or end.
void live_on(testing::World& world, Random& random);

// All admitted attempts start, and all stopping ones end: their jobs wait again, unless their users cancelled them.
// False: nothing was left to happen.
bool let_leave(testing::World& world);

}  // namespace ym::reference
