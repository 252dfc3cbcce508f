// Runs a program and returns its standard output.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym::kubernetes {

// The environment is that of this process with `env` added; standard input is empty; standard error is that of this
// process. At most 1 MiB of output. Errors: `unavailable`, with the reason: it could not be started, took too long (and
// was killed), failed, or wrote too much. An error never contains its output.
Result<std::string> run_program(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
                                Duration timeout);

}  // namespace ym::kubernetes
