// One document -> one job. The keys and their meaning are those of a job file.
#pragma once

#include <optional>

#include "model/job_spec.h"
#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

// Adds to the field's problems what is wrong; the result counts only if there are none.
JobSpec read_job(const Field& field, const SubmitDefaults& defaults);

}  // namespace ym::spec
