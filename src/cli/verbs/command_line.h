// Finds the verb that the words of a command line name, and runs it.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

namespace ym::cli {

// `words`: without the program's name. Sets the session's global flags, runs the verb, returns the exit code.
int run_words(std::vector<std::string> words, Session& session);

}  // namespace ym::cli
