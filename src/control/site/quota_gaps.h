// Queues without quota beside queues with quota.
#pragma once

#include <string>
#include <vector>

#include "model/queue.h"

namespace ym {

// Warnings about queues that take jobs and have no quota, nor does a queue above them: one sentence for each kind, with
// the names. If other queues of their tree have quota, such queues only borrow, and start nothing while that quota is
// in use. In a tree without quota, only the machines limit them, whatever quota other trees have. Empty if no queue has
// quota, or all have.
std::vector<std::string> quota_gaps(const std::vector<Queue>& queues);

}  // namespace ym
