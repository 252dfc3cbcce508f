// Parts of messages that several rules share.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/ids.h"

namespace ym {

// The first ten names: "a, b, c and 7 more".
std::string some_of(std::vector<std::string> names);

Error no_such_job(JobId id);

}  // namespace ym
