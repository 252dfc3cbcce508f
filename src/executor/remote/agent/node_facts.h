// Facts that only the node itself knows.
#pragma once

#include <cstdint>
#include <string>

namespace ym::remote {

// Address of the interface that reaches the server. Other tasks reach the server too, so they find this one there.
// Sends nothing. "127.0.0.1" if it is unknown. `origin`: "https://host:port", "http://[::1]:80".
std::string address_towards(const std::string& origin);

// For values that must differ between tasks; not a secret.
std::uint32_t random_seed();

// A port on which no process listens now, if possible outside the kernel's range for outgoing connections; 0: none was
// found.
std::int32_t free_port();

// Whether the cluster limits the memory of this process: then no other limit is needed.
bool memory_is_limited();

}  // namespace ym::remote
