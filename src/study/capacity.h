// `ym capacity`: the number of nodes that recorded work needs, the number that a budget buys, and when the cluster is
// outgrown.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/listener.h"
#include "study/options/capacity_options.h"

namespace ym::study {

// Returns the result as `-o json` shows it. Errors: `invalid` names the file or the option.
Result<boost::json::object> capacity(const CapacityOptions& options, const Listener& listener);

}  // namespace ym::study
