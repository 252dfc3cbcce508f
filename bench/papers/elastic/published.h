// What Qiao et al. published of their simulations (files <experiment>_summary.json of the artifact of Pollux, OSDI
// 2021).
#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace ym::sim::elastic {

// Mean completion times in seconds, by workload ("workload-1").
using PublishedMeans = std::map<std::string, double>;

// `experiment`: such as "jobload-pollux-1.0". The file may be packed with gzip (.json.gz).
Result<PublishedMeans> read_published(const std::string& folder, const std::string& experiment);

}  // namespace ym::sim::elastic
