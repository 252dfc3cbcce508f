// Checks names of jobs.
#pragma once

#include "model/job_spec.h"
#include "spec/text/field.h"

namespace ym::spec {

// Reports a name that could be taken for an id. The name may have been made from the program.
void check_name(const Field& job, const JobSpec& spec);

}  // namespace ym::spec
