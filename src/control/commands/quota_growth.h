// A queue's administrator shares the queue's quota among the queues below it, and gets no more quota by that.
#pragma once

#include "control/access/access.h"
#include "control/command.h"

namespace ym {

// The quota of a tree is the sum of the nominal quotas in it. So no change by a caller may make the sum larger below
// the topmost queue that the caller may edit, and none leaves out a flavor's kind that queues there limit. A caller
// that may edit the queues of the site has no bound. Errors: `forbidden`, with the queue and both sums.
Result<void> check_quota_growth(const Tables& tables, const Access& access, const ApplyQueues& command);

}  // namespace ym
