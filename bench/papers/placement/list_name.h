// What a list of pods is called.
#pragma once

#include <string>
#include <string_view>

namespace ym::sim::placement {

// Of "openb_pod_list_default.csv.gz", in whatever folder: "default".
std::string list_name(std::string_view file);

}  // namespace ym::sim::placement
