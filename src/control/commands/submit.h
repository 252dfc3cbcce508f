// Accepts jobs: limits, ids, arrays, idempotency.
#pragma once

#include "control/commands/commands.h"

namespace ym {

// Most jobs that may wait or run at once, over all users.
inline constexpr std::size_t kMaxLiveJobs = 1'000'000;
// Most jobs that one request may make. Each member of an array counts.
inline constexpr std::size_t kMaxJobsPerRequest = 10'000;

Result<CommandReply> stage_submit(Staging& staging, const CommandContext& context, const Caller& caller,
                                  const SubmitJobs& command);

// Precondition: `job` has ended; `command` names it.
Result<CommandReply> stage_retry(Staging& staging, const CommandContext& context, const Caller& caller, const Job& job,
                                 const RetryJob& command);

}  // namespace ym
