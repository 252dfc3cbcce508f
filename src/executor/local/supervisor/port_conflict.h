// A gang that found its rendezvous port taken: another program was faster. That is this
// machine's fault, not the job's, and only the job's own words show it. It is so of torchrun alone: a program without
// a launcher is told of a port, too, and may take it whenever it likes.
#pragma once

#include <cstdint>
#include <string_view>

namespace ym::local {

// True if a line of what the task wrote last says that this port was in use.
bool says_port_is_taken(std::string_view log_tail, std::int64_t port);

}  // namespace ym::local
