// `ym replay`: repeats recorded decisions.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/listener.h"
#include "study/options/replay_options.h"

namespace ym::study {

// Returns the result as `-o json` shows it. Errors: `invalid` names the file and the mistake.
Result<boost::json::object> replay_recordings(const ReplayArguments& arguments, const OnWarnings& on_warnings);

}  // namespace ym::study
