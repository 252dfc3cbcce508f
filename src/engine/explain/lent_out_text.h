// The part of a sentence about quota that is lent to other queues and not given back.
#pragma once

#include <string>

#include "engine/reason.h"

namespace ym::engine {

// Goes at the end of the sentence: "; the job is within ...".
std::string lent_out_text(const LentOut& lent);

}  // namespace ym::engine
