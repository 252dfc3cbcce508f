// The rights that commands need. They are checked again here, when the command is staged: a right that was taken away
// while the request waited is gone.
#pragma once

#include "control/access/access.h"
#include "control/command.h"
#include "model/job.h"

namespace ym {

// The rights of a command, as far as they do not depend on a job. Errors: `forbidden`.
Result<void> check_rights(const Tables& tables, const Access& access, const Command& command);

// Errors: `not_found` if the caller does not see the job; `forbidden` if it does, and may not do this.
Result<void> require_on_job(const Access& access, Permission permission, const Job& job);

// Whether jobs may be made in the project, and wait in the queue. Errors: `forbidden`.
Result<void> require_for_new_job(const Access& access, std::string_view project, std::string_view queue);

}  // namespace ym
