// Queues that are somebody's default, and the server's own, which is there only where none is configured.
#pragma once

#include <vector>

#include "control/state/staging.h"

namespace ym {

// The server's own queue (model/queue.h) is there as long as no other takes jobs. Once one does it is closed: its jobs
// go on, those that wait too, and it leaves with the last of them. To be called after queues were set or closed.
void stage_own_queue(Staging& staging);

// What is wrong with `default_for` of these queues: somebody has another default already, or there are queues below.
std::vector<FieldError> default_for_problems(const Tables& tables, const ApplyQueues& command);

// Whether nobody has two defaults: a queue of the configuration, and one that was made while the server ran.
// Errors: `invalid`, names both and what to do.
Result<void> check_defaults(const Tables& tables, const std::vector<Queue>& of_file);

}  // namespace ym
