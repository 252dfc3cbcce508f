// What a queue's policy says of limits, budgets and promises: `limits`, `budgets`, `shrink_after`, `wait_promises`.
#pragma once

#include <cstdint>

#include "model/queue.h"
#include "spec/field.h"

namespace ym::spec {

inline constexpr std::int64_t kHighestPriority = 100;  // of jobs

void read_queue_limits(MapReader& policy, Queue& queue);

}  // namespace ym::spec
