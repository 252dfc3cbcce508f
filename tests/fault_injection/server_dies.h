#pragma once

namespace ym::sim {

// Thrown where a server is killed. It passes through all of the server's code; only the run catches it.
struct ServerDies {};

}  // namespace ym::sim
