// Which worker failed first, as torchrun's agent says it when it ends.
//
// An agent ends with 1 whatever ended its workers, and all agents of a gang do. Only what it writes last tells apart a
// worker that was killed from those that lost it. Of PyTorch's elastic agent, 1.13 to 2.x: the block "Root Cause (first
// observed failure)". The time in it comes from the worker's error file where the program writes one (`@record`), else
// it is when the agent saw it.
#pragma once

#include <optional>
#include <string_view>

#include "model/job.h"

namespace ym::local {

// Of the last such block. Nothing without one, or if it names no rank.
std::optional<WorkerFailure> worker_failure_in(std::string_view log_tail);

}  // namespace ym::local
