// What is said of a job's deadline (`deadline` of an explanation).
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cli/session.h"

namespace ym::cli {

// "2026-11-23 10:00 UTC: feasible; it starts by 07:55 and takes at most 2h"
std::string deadline_text(const boost::json::value& verdict, Instant now);

// Of jobs that were just submitted: asks until they are judged, for a few seconds at most, and says it on standard
// error. Of many only the first are asked about.
void say_deadlines(Session& session, const boost::json::array& jobs);

}  // namespace ym::cli
