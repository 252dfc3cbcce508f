// The server's configuration file.
#pragma once

#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::spec {

// Adds errors to the field's problems. The result is valid only if there are none.
Configuration read_configuration(const Field& field);

}  // namespace ym::spec
