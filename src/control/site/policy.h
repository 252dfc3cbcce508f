// How the site schedules: what the configuration file says, and above it what is set while the server runs.
#pragma once

#include "control/command.h"
#include "control/state/staging.h"
#include "engine/engine.h"

namespace ym {

// What the settings leave out is as in `base`.
engine::Policy policy_of(const PolicySettings& settings, const engine::Policy& base = {});

// What is set while the server runs; nothing is.
PolicySettings set_settings(const Tables& tables);

// Errors: those of ApplyQueues; nothing is changed then.
Result<CommandReply> stage_apply_policy(Staging& staging, const Caller& caller, const ApplyPolicy& command);
Result<CommandReply> stage_reset_policy(Staging& staging, const Caller& caller);

}  // namespace ym
