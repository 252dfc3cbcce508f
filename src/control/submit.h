// Accepting jobs: queue rules, ids, arrays, idempotency.
#pragma once

#include "control/commands.h"

namespace ym {

// Most jobs that may wait or run at once, over all users.
inline constexpr std::size_t kMaxLiveJobs = 1'000'000;

Result<CommandReply> stage_submit(Staging& staging, const CommandContext& context, const Caller& caller,
                                  const SubmitJobs& command);

}  // namespace ym
