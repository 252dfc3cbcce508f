// Detects that a gang's rendezvous port was taken by another program. That is a fault of this machine, not of the job,
// and only the output of the job shows it. This applies to torchrun alone: a program without a launcher gets a port
// too, and may bind it whenever it likes.
#pragma once

#include <cstdint>
#include <string_view>

namespace ym::local {

// True if a line of the last output says that this port was in use.
bool says_port_is_taken(std::string_view log_tail, std::int64_t port);

}  // namespace ym::local
