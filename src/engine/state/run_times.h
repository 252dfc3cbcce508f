// Expected run times for forecasts. These are guesses: no promise depends on them.
#pragma once

#include <optional>

#include "base/time.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"

namespace ym::engine {

enum class Pace : std::uint8_t { quick, usual, slow };

// Run time of an attempt, from its start: the job's prediction, at most its time limit. Without a prediction only the
// limit is known: then Pace::quick takes a tenth of it, as each run time up to the limit is equally likely. Nothing:
// it has neither.
std::optional<Duration> expected_run_time(const JobRow& job, Pace pace);

// For orders by run time: the usual run time of the user's own similar jobs, else the limit.
std::optional<Duration> declared_or_own_run_time(const JobRow& job);

// When the attempt will have ended. Precondition: it is not told to stop. If it already runs for longer than expected,
// the run time of slower jobs counts; if it is slower than all, its run time plus half of it. Pace::quick takes a
// tenth of the remaining time. Never before `now`. Nothing: not known.
std::optional<Instant> expected_end(const JobRow& job, const LiveAttempt& attempt, Pace pace, Instant now);

}  // namespace ym::engine
