// Default queues of users and projects, and the server's own queue, which is there only if no queue is configured.
#pragma once

#include <vector>

#include "control/state/staging.h"

namespace ym {

// Makes or closes the server's own queue (model/queue.h). It is there as long as no other queue takes jobs. When
// another one does, it is closed: its waiting and running jobs stay in it, and it leaves with the last of them. Call
// this after queues were set or closed.
void stage_own_queue(Staging& staging);

// The problems of `default_for` of these queues: a user or project has another default already, or the queue has queues
// below it.
std::vector<FieldError> default_for_problems(const Tables& tables, const ApplyQueues& command);

// Checks that no user or project has two defaults: one of the configuration, and one made while the server ran. Errors:
// `invalid`, names both and what to do.
Result<void> check_defaults(const Tables& tables, const std::vector<Queue>& of_file);

}  // namespace ym
