// Warnings about jobs that are valid but probably not intended.
#pragma once

#include <string>
#include <vector>

#include "model/job_spec.h"

namespace ym {

// One sentence for each, beginning with its key; usually none.
std::vector<std::string> warnings_of(const JobSpec& spec);

}  // namespace ym
