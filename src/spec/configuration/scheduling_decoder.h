// Settings of scheduling for the whole site.
#pragma once

#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::spec {

// Reads `scheduling:` and `preemption:` of a document, and adds errors to the field's problems. Keys and words of
// earlier versions get a warning.
void read_settings(MapReader& map, PolicySettings& settings, std::vector<std::string>& warnings);

}  // namespace ym::spec
