// The settings of scheduling as a whole.
#pragma once

#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

// `scheduling:` and `preemption:` of the configuration; what is wrong is added to the field's problems.
// Keys and words of earlier versions are read still, and told among the warnings.
void read_scheduling(const Field& field, PolicySettings& settings, std::vector<std::string>& warnings);
void read_preemption(const Field& field, PolicySettings& settings);

}  // namespace ym::spec
