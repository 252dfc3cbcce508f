// `ym policy tune`: searches for settings that suit recorded work better.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/listener.h"
#include "study/options/tune_options.h"

namespace ym::study {

// Returns the result as `-o json` shows it. Errors: `invalid` names the file or setting, and the mistake.
Result<boost::json::object> tune(const TuneOptions& options, const Listener& listener);

}  // namespace ym::study
