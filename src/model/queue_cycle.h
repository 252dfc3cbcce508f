// Whether queues are above themselves.
#pragma once

#include <map>
#include <string>

#include "model/queue.h"

namespace ym {

// Whether the queue is above itself. Queues that are not there have no parent.
bool is_in_cycle(const std::map<std::string, Queue>& queues, const std::string& queue);

}  // namespace ym
