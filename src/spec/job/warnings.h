// What is valid in a job and may still not do what is meant.
#pragma once

#include <string>
#include <vector>

#include "model/job_spec.h"

namespace ym {

// One sentence each, which begins with the key it is about; mostly none.
std::vector<std::string> warnings_of(const JobSpec& spec);

}  // namespace ym
