// Queues that say no quota beside queues that have some.
#pragma once

#include <string>
#include <vector>

#include "model/queue.h"

namespace ym {

// What may not be meant, a sentence for each kind, with the names: queues that take jobs, and have no quota of their
// own nor above them. In a tree where others have some they only borrow, and begin nothing while that is in use; in a
// tree without any they are limited by machines alone, and pass by the quotas of the others. Nothing where no queue has
// quota, or each has.
std::vector<std::string> quota_gaps(const std::vector<Queue>& queues);

}  // namespace ym
