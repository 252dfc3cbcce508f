// The torchrun launcher's own part; see launcher.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "executor/launcher/launcher.h"

namespace ym {

// What a job may overwrite, and what it may not.
Environment torchrun_defaults(const LaunchContext& context);
Environment torchrun_env(const LaunchContext& context);
Environment torchrun_task_env(const LaunchContext& context, std::size_t task);

// `env` is what $NAME in a string refers to: that of every task.
std::vector<std::string> torchrun_argv(const Program& program, const Environment& env);

}  // namespace ym
