// `ym capacity`: how many nodes recorded work needs, what money buys, and when the cluster is outgrown.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/capacity_options.h"

namespace ym {

// As it is shown with -o json. Errors: `invalid`, what is wrong with which file or option.
Result<boost::json::object> capacity(const CapacityOptions& options, const OnSimulateProgress& on_progress);

}  // namespace ym
