// Decodes one document to one job. The guide (job-file.md) describes the keys.
#pragma once

#include <optional>

#include "model/job_spec.h"
#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::spec {

// Adds errors to the field's problems. The result is valid only if there are none.
JobSpec read_job(const Field& field, const SubmitDefaults& defaults);

}  // namespace ym::spec
