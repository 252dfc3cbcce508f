// Why a job is where it is: a job that runs or is about to, or one that stops for another.
#pragma once

#include <string>
#include <vector>

#include "control/views.h"

namespace ym {

// Sentences, the most important first. `scoring`: the present rule, which may have been set after the
// admission. Precondition: the job has an attempt that has not ended.
std::vector<std::string> why_it_runs(const JobView& view, const QueueView& queue, Scoring scoring, Instant now);

// Whether the running job meets its deadline. Nothing: it has none. Precondition: as above.
std::optional<engine::DeadlineVerdict> deadline_of_running(const JobView& view);

}  // namespace ym
