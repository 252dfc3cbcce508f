// Why a job can never run, as a sentence.
#pragma once

#include <string>

#include "engine/reason.h"

namespace ym::engine {

// Precondition: its code is exceeds_capacity.
std::string never_text(const Reason& reason);

}  // namespace ym::engine
