// What a sentence says of quota that is lent to others, and not given back.
#pragma once

#include <string>

#include "engine/reason.h"

namespace ym::engine {

// To be put behind the rest: "; the job is within ..."; empty: nothing is to be said of that.
std::string lent_out_text(const Reason& reason);

}  // namespace ym::engine
