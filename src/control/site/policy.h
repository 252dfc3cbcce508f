// The scheduling settings of the site: those of the configuration file, overridden by those set while the server runs.
#pragma once

#include "control/command.h"
#include "control/state/staging.h"
#include "engine/engine.h"

namespace ym {

// The policy of the settings. Settings that are left out come from `base`.
engine::Policy policy_of(const PolicySettings& settings, const engine::Policy& base = {});

// The settings that were set while the server runs; empty: none.
PolicySettings set_settings(const Tables& tables);

// Errors: those of ApplyQueues; nothing is staged then.
Result<CommandReply> stage_apply_policy(Staging& staging, const Caller& caller, const ApplyPolicy& command);
Result<CommandReply> stage_reset_policy(Staging& staging, const Caller& caller);

}  // namespace ym
