// The parts for torchrun; see launcher.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "executor/launcher/launcher.h"

namespace ym {

// Variables that a job may overwrite, and variables that it may not.
Environment torchrun_defaults(const LaunchContext& context);
Environment torchrun_env(const LaunchContext& context);
Environment torchrun_task_env(const LaunchContext& context, std::size_t task);

// `env`: the variables that $NAME in a string refers to, common to all tasks.
std::vector<std::string> torchrun_argv(const Program& program, const Environment& env);

}  // namespace ym
