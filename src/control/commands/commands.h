// Turns commands into events.
#pragma once

#include <optional>
#include <string>

#include "control/command.h"
#include "control/state/progress_intake.h"
#include "control/state/run_time_predictor.h"
#include "control/state/staging.h"
#include "control/views.h"

namespace ym {

// What commands need besides the staged state.
struct CommandContext {
  StoreReader& history;  // jobs that have ended
  const JobView* ended;  // the command's job, if the caller has looked it up already; null: not
  ProgressIntake& progress;
  const RunTimePredictor& run_times;
  const Access& access;  // of the caller
  const UserLimits& limits;
};

// Validates the command against the staged state and stages its events, all or none: on an error nothing is staged.
// From a job's user code it accepts only reports of its own attempt; else `forbidden`.
Result<CommandReply> stage_command(Staging& staging, const CommandContext& context, const Caller& caller,
                                   const Command& command);

}  // namespace ym
