// For how long a job is taken to run in a forecast. Guesses: nothing is promised by them.
#pragma once

#include <optional>

#include "base/time.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"

namespace ym::engine {

enum class Pace : std::uint8_t { quick, usual, slow };

// Of an attempt, from its start. From the job's prediction, and never beyond its time limit, which is all that
// is known of one without a prediction: a quick one of those takes a tenth of it, as where nothing is known of
// how people choose limits each part of them is as likely. Nothing: it has neither.
std::optional<Duration> expected_run_time(const JobRow& job, Pace pace);

// What orders jobs by it: the usual run time of the user's own jobs like it, else the limit.
std::optional<Duration> declared_or_own_run_time(const JobRow& job);

// When the attempt, which is not told to stop, will have ended. One that runs for longer already than was
// expected: as is expected of the slower ones; and of one that is slower than all, half as long again. A quick one of
// those that are left takes a tenth of that.
// Never before `now`. Nothing: not known.
std::optional<Instant> expected_end(const JobRow& job, const LiveAttempt& attempt, Pace pace, Instant now);

}  // namespace ym::engine
