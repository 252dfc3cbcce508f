// Ports for daemons of tests.
#pragma once

namespace ym::testing {

// The first of so many in a row that are free at every address: below those that the kernel gives to outgoing
// connections, from a place drawn, as labs may start at the same time. They may be taken as soon as this returns.
int free_ports(int count);

}  // namespace ym::testing
