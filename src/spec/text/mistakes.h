// The mistakes that an error reports, as lines of text.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ym {

// Each mistake once, one a line. The message of an error with fields may repeat the first field after the name of a
// file: then each line begins with that name. Any other message is a line of its own, the first.
std::vector<std::string> mistakes(const Error& error);

}  // namespace ym
