#pragma once

namespace ym::sim {

// Thrown where a server is killed: through all of its code, which ends there. Nobody but the world catches it.
struct ServerDies {};

}  // namespace ym::sim
