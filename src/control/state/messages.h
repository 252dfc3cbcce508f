// Parts of messages that several rules share.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/ids.h"

namespace ym {

// The first ten names: "a, b, c and 7 more".
std::string some_of(std::vector<std::string> names);

// What a caller may not see is refused with the same words as what is not there.
Error no_such_job(JobId id);
Error no_such_queue(const std::string& queue);
Error no_such_node(const std::string& node);

}  // namespace ym
