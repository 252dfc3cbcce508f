// Replies: callbacks for answers that take a while. The reply of a command is in command.h.
#pragma once

#include <functional>

#include "base/result.h"
#include "engine/forecast/policy_diff.h"
#include "executor/executor.h"

namespace ym {

// Called exactly once, from a thread of control.
using CompareReply = std::move_only_function<void(Result<engine::PolicyDiff>)>;

// Called exactly once; must return quickly.
using LogReply = std::move_only_function<void(Result<LogChunk>)>;

}  // namespace ym
