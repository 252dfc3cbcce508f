// `ym policy tune`: settings that would have served recorded work better.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/tune_options.h"

namespace ym {

// What came of it, as it is shown with -o json. Errors: `invalid`, what is wrong with which file or setting.
Result<boost::json::object> tune(const TuneOptions& options, const OnSimulateProgress& on_progress);

}  // namespace ym
