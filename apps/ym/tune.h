// `ym policy tune`: searches for settings that suit recorded work better.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/options/tune_options.h"

namespace ym {

// Returns the result as `-o json` shows it. Errors: `invalid` names the file or setting, and the mistake.
Result<boost::json::object> tune(const TuneOptions& options, const OnSimulateProgress& on_progress);

}  // namespace ym
