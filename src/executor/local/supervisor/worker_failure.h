// Which worker failed first, as torchrun's agent prints it at its end.
//
// An agent exits with 1 for any failure of its workers, and so do all agents of the gang. Only its last output tells a
// worker that was killed from workers that lost a peer. The format is the block "Root Cause (first observed failure)"
// of PyTorch's elastic agent, 1.13 to 2.x. Its time is from the worker's error file if the program writes one
// (`@record`), else the time at which the agent noticed the failure.
#pragma once

#include <optional>
#include <string_view>

#include "model/job.h"

namespace ym::local {

// From the last such block. Empty if there is none, or if it names no rank.
std::optional<WorkerFailure> worker_failure_in(std::string_view log_tail);

}  // namespace ym::local
