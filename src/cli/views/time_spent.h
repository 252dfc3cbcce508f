// How long a job has waited, has run, or ran.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace ym::cli {

// For a job that waits, or that has its nodes but does not run yet: time since the submit or since its last attempt
// ended. For a running job: time since its attempt began to run. For an ended job: sum of the run times of its
// attempts. Nothing: it never ran.
std::optional<Duration> time_spent(const boost::json::value& job, Instant now);

// The column FOR: "3h12m", or "-".
std::string time_text(const boost::json::value& job, Instant now);
// The longest time of several jobs. If some have not ended, only those count.
std::string longest_time_text(const std::vector<const boost::json::value*>& jobs, Instant now);

// "RUNNING 30s"; for a job that never ran "CANCELLED".
std::string state_and_time(const boost::json::value& job, Instant now);

}  // namespace ym::cli
