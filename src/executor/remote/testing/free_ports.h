// Ports for daemons of tests.
#pragma once

namespace ym::testing {

// The first of so many in a row that are free at every address, below those that the kernel gives to outgoing
// connections. They are this process's until it ends, though its daemon be dead for a while: no other test is given
// them. From any thread. Throws if there are none.
int free_ports(int count);

}  // namespace ym::testing
