// The settings of scheduling as a whole.
#pragma once

#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

// `scheduling:` and `preemption:` of the configuration; what is wrong is added to the field's problems.
// `waste_table`: the file that is named for it.
void read_scheduling(const Field& field, PolicySettings& settings, std::string& waste_table);
void read_preemption(const Field& field, PolicySettings& settings);

}  // namespace ym::spec
