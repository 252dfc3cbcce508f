// What the wrapper was told by a script that it is the interpreter of ("#!/opt/ym/ym-task"): a cluster that starts
// scripts starts it so, without a shell that does nothing but start it.
//
// Such a script is one for a shell as well: each line is `export NAME='value'`, with '\'' for a quote in the value.
#pragma once

#include <string>

#include "executor/remote/wrapper/task_config.h"

namespace ym::remote {

// Errors: `invalid`, if anything but such lines is in it after the first, naming the line, never its value.
Result<Environment> parse_settings(const std::string& script);

// Puts those of the script at `path` over the environment.
Result<void> add_settings(const std::string& path, Environment& env);

}  // namespace ym::remote
