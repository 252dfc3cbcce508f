// The section `auth` of the configuration.
#pragma once

#include "model/access/auth_settings.h"
#include "spec/text/field.h"

namespace ym::spec {

// Adds errors to the field's problems. Whether the roles, queues and clusters exist is checked by the server.
AuthSettings read_auth(const Field& field);

}  // namespace ym::spec
