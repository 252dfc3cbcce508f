// Settings of the agent in a script with the agent as its interpreter ("#!/opt/ym/ym-task"). A cluster that starts
// scripts starts the agent like this, without a shell in between.
//
// Such a script also works for a shell: each line is `export NAME='value'`, with '\'' for a quote in the value.
#pragma once

#include <string>

#include "executor/remote/agent/task_config.h"

namespace ym::remote {

// Errors: `invalid`: there is another line after the first. The error names the line, never its value.
Result<Environment> parse_settings(const std::string& script);

// Adds the settings of the script at `path` to the environment, and overwrites existing variables.
Result<void> add_settings(const std::string& path, Environment& env);

}  // namespace ym::remote
