// Cancels one job, or many jobs in one commit.
#pragma once

#include <string>

#include "control/command.h"
#include "control/commands/commands.h"
#include "control/state/staging.h"

namespace ym {

// Precondition: the job has not ended, and no cancel was requested.
void stage_cancel(Staging& staging, const std::string& principal, const Job& job);

// Cancels each job that can be cancelled, and refuses each other job as CancelJob does. Errors: those of the store.
Result<CommandReply> stage_cancel_jobs(Staging& staging, const CommandContext& context, const Caller& caller,
                                       const CancelJobs& command);

}  // namespace ym
