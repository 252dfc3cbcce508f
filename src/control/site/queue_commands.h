// Changes of queues while the server runs.
#pragma once

#include <cstddef>
#include <string>

#include "control/command.h"
#include "control/state/staging.h"

namespace ym {

// The place of the queue in the request.
std::string pointer_of(const ApplyQueues& command, std::size_t queue);

Result<CommandReply> stage_apply_queues(Staging& staging, const Caller& caller, const ApplyQueues& command);
Result<CommandReply> stage_queue_stop(Staging& staging, const Caller& caller, const SetQueueStop& command);
Result<CommandReply> stage_remove_queue(Staging& staging, const Caller& caller, const RemoveQueue& command);

}  // namespace ym
