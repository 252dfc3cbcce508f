// What an error says about a file, for people.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ym {

// Each mistake once, a line each. The message of an error with fields repeats the first of them, perhaps behind the
// name of a file: then that name stands before each of them. A message that says something else comes first.
std::vector<std::string> mistakes(const Error& error);

}  // namespace ym
