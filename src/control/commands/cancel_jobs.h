// Cancels: of one job, and of many in one commit.
#pragma once

#include <string>

#include "control/command.h"
#include "control/commands/commands.h"
#include "control/state/staging.h"

namespace ym {

// Precondition: the job has not ended, and no cancel of it was asked for.
void stage_cancel(Staging& staging, const std::string& principal, const Job& job);

// Whatever can be cancelled is; the others are refused one by one, as CancelJob refuses them.
// Errors: those of the store.
Result<CommandReply> stage_cancel_jobs(Staging& staging, const CommandContext& context, const Caller& caller,
                                       const CancelJobs& command);

}  // namespace ym
