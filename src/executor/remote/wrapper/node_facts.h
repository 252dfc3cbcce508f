// What only the node knows of itself.
#pragma once

#include <cstdint>
#include <string>

namespace ym::remote {

// Of the interface that reaches the server: where other tasks, who reach that too, find this one. Nothing is sent.
// "127.0.0.1" where that cannot be told. `origin`: "https://host:port", "http://[::1]:80".
std::string address_towards(const std::string& origin);

// For what is to differ between tasks; no secret.
std::uint32_t random_seed();

// On which nobody listens now, outside of the range that the kernel hands to outgoing connections as far as one
// is free there; 0: none was found.
std::int32_t free_port();

// Whether the cluster has set a limit of memory around this process: then no other is needed.
bool memory_is_limited();

}  // namespace ym::remote
