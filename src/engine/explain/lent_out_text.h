// What a sentence says of quota that is lent to others, and not given back.
#pragma once

#include <string>

#include "engine/reason.h"

namespace ym::engine {

// To be put behind the rest: "; the job is within ...".
std::string lent_out_text(const LentOut& lent);

}  // namespace ym::engine
