// What can be done with jobs that were just submitted: said to people, on standard error.
#pragma once

#include <boost/json/array.hpp>

#include "cli/session.h"

namespace ym::cli {

// Where their output is, why they wait, how to stop them. Nothing of no jobs.
void say_what_next(Session& session, const boost::json::array& jobs);

// The same where a person looks at both streams and at a table: a script's stay as they are.
void say_what_next_on_a_terminal(Session& session, const boost::json::array& jobs);

}  // namespace ym::cli
