// The server's configuration file.
#pragma once

#include "spec/documents.h"
#include "spec/field.h"

namespace ym::spec {

// Adds to the field's problems what is wrong; the result counts only if there are none.
Configuration read_configuration(const Field& field);

}  // namespace ym::spec
