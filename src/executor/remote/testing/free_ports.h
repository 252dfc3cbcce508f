// Ports for daemons of tests.
#pragma once

namespace ym::testing {

// The first of `count` consecutive ports that are free at every address, below the kernel's range for outgoing
// connections. They belong to this process until it ends, even while its daemon is dead: no other test gets them. From
// any thread. Throws if there are none.
int free_ports(int count);

}  // namespace ym::testing
