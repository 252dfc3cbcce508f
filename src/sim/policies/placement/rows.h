// The rows of a table with a header, by the names of its columns.
#pragma once

#include <string>
#include <string_view>

#include "sim/workload/each_row.h"

namespace ym::sim::placement {

using sim::for_each_row;

// Of a list of pods, as in "openb_pod_list_default.csv.gz": "default".
std::string list_name(std::string_view file);

}  // namespace ym::sim::placement
