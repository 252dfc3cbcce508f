// Advice on standard error after a submit: how to see, explain and stop the new jobs.
#pragma once

#include <boost/json/array.hpp>

#include "cli/session.h"

namespace ym::cli {

// Says where their output is, why they wait, how to stop them. Writes nothing without jobs.
void say_what_next(Session& session, const boost::json::array& jobs);

// The same, but only if both streams are terminals and the format is a table. Output for scripts does not change.
void say_what_next_on_a_terminal(Session& session, const boost::json::array& jobs);

}  // namespace ym::cli
