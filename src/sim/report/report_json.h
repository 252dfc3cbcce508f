// The figures of a simulation as `ym simulate -o json` shows them: times in seconds, GPU time in hours.
#pragma once

#include <boost/json/object.hpp>

#include "sim/simulate/simulation.h"
#include "sim/simulate/summary.h"

namespace ym::sim {

boost::json::object to_json(const SimulationEnd& end, const Summary& summary);

// Further data for a page: levels over time, and every hundredth of the waits and of the completions.
void add_timeline(boost::json::object& figures, const SimulationEnd& end, const Summary& summary);

}  // namespace ym::sim
