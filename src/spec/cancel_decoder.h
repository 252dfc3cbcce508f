// Requests to cancel many jobs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ym {

// One JSON object: `jobs`, a list of ids and names of jobs and arrays; at most `most`.
// Errors: `invalid`, with a pointer to each wrong field.
Result<std::vector<std::string>> parse_cancel_request(std::string_view json, std::size_t most);

}  // namespace ym
