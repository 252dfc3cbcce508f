// The id of a state directory: random, made once, kept in DIR/attempts/.id. Two servers on one machine may have the
// same job ids and tokens, but never the same state id.
#pragma once

#include <string>

#include "base/result.h"

namespace ym::local {

// Reads it, or makes it. Errors: `io`, `corrupt`.
Result<std::string> read_state_id(int attempts_folder);
// Writes an id again that was read before, if the file was removed. Errors: `io`.
Result<void> keep_state_id(int attempts_folder, const std::string& id);

}  // namespace ym::local
