// Projects and bindings of the configuration file, and the events that change the tables to match.
#pragma once

#include "control/site/configuration.h"

namespace ym {

// What its bindings name must be there: roles, projects, queues and clusters. Errors: `invalid`, at each of them.
Result<void> check_auth(const Tables& tables, const DesiredState& desired);

// Stages only differences. Principals that bindings name are made. Bindings and projects of an earlier file that are
// gone from it are removed; a project that has jobs stays, as one that the API made. The rows of the API stay, unless
// the file now has the same. Precondition: check_auth.
void stage_auth(Staging& staging, const AuthSettings& auth);

}  // namespace ym
