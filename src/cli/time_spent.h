// How long a job has waited, runs, or ran.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace ym::cli {

// Of a job that waits, or has a place and does not run yet: since it was submitted, or since its last attempt ended.
// Of one that runs: since its attempt began to run. Of one that has ended: how long its attempts ran together.
// Nothing: it never ran.
std::optional<Duration> time_spent(const boost::json::value& job, Instant now);

// The column FOR: "3h12m", or "-".
std::string time_text(const boost::json::value& job, Instant now);
// Of several jobs the longest; those that have not ended count, if there are any.
std::string longest_time_text(const std::vector<const boost::json::value*>& jobs, Instant now);

// "RUNNING 30s"; of a job that never ran "CANCELLED".
std::string state_and_time(const boost::json::value& job, Instant now);

}  // namespace ym::cli
