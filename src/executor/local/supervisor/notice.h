// The notice: the file that tells user code to stop.
#pragma once

#include <string>

#include "base/time.h"
#include "executor/local/supervisor/stop_plan.h"

namespace ym::local {

// {"reason": "preemption", "deadline": "2026-11-21T11:47:48.123Z", "grace_seconds": 30}
// Without a deadline if its year has more than four digits.
std::string notice_text(WhyStopped cause, Instant deadline, Duration grace);

}  // namespace ym::local
