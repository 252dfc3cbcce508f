// Why a job is where it is: of one that runs or is about to, and of one that makes room.
#pragma once

#include <string>
#include <vector>

#include "control/views.h"

namespace ym {

// A sentence each, the most important first. `scoring`: by what nodes are chosen now. Precondition: the job has an
// attempt that has not ended.
std::vector<std::string> why_it_runs(const JobView& view, const QueueView& queue, Scoring scoring, Instant now);

// Whether it makes its deadline, as it runs already. Nothing: it has none. Precondition: as above.
std::optional<engine::DeadlineVerdict> deadline_of_running(const JobView& view);

}  // namespace ym
