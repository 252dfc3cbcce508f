// Shows a job's deadline (`deadline` of an explanation).
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cli/session.h"

namespace ym::cli {

// "2026-11-23 10:00 UTC: feasible; it starts by 07:55 and takes at most 2h"
std::string deadline_text(const boost::json::value& verdict, Instant now);

// For jobs that were just submitted: asks the server for a few seconds until it has judged the deadlines, and prints
// the result on standard error. Asks only about the first of many jobs.
void say_deadlines(Session& session, const boost::json::array& jobs);

}  // namespace ym::cli
