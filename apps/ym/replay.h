// `ym replay`: recorded decisions, taken once more.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/replay_options.h"

namespace ym {

// What came of it, as it is shown with -o json. Errors: `invalid`: what is wrong with which file.
Result<boost::json::object> replay_recordings(const ReplayArguments& arguments);

}  // namespace ym
