// How each command becomes events.
#pragma once

#include <optional>
#include <string>

#include "control/command.h"
#include "control/staging.h"

namespace ym {

// What commands need besides the staged world.
struct CommandContext {
  std::string run_as;    // operating system user of jobs
  StoreReader& history;  // for jobs that have ended
};

// Validates the command against the staged world and stages its events, all or none:
// on an error nothing is staged.
Result<CommandReply> stage_command(Staging& staging, const CommandContext& context, const Caller& caller,
                                   const Command& command);

}  // namespace ym
