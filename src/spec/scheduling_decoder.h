// The settings of scheduling as a whole.
#pragma once

#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

// `scheduling:` and `preemption:` of the configuration; what is wrong is added to the field's problems.
void read_scheduling(const Field& field, Configuration& configuration);
PreemptionConfiguration read_preemption(const Field& field);

}  // namespace ym::spec
