// `ym queue hold`, `drain` and `resume`.
#pragma once

#include "cli/verbs/verb.h"

namespace ym::cli {

void add_queue_stops(Verbs& verbs, CLI::App& queue);

}  // namespace ym::cli
