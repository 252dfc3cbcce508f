// Runs a program and takes what it writes to its standard output.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym::kubernetes {

// With our environment and `env` over it; its standard input is empty, its standard error ours. What it writes is
// bounded to 1 MiB. Errors: `unavailable`, with the reason: it could not be started, took too long (and was killed),
// failed, or wrote too much. Never what it wrote.
Result<std::string> run_program(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
                                Duration timeout);

}  // namespace ym::kubernetes
