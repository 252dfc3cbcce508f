// Reads what is published with Qiao et al., Pollux, OSDI 2021: the profiles of six applications and workloads of them
// (the simulator of the artifact of their project, AdaptDL), from a folder with
//
//   apps/<application>/placements.csv.gz, validation-<batch>.csv
//   interp_grid.csv.gz            step times by nodes and replicas, of the layouts that placements.csv.gz lacks
//   workloads{-0.5,,-1.5,-2.0}/workload-<number>.csv
//
// Columns that are not used may be there. What is wrong in a file is `invalid`, with file and line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/elastic/application.h"
#include "papers/elastic/job.h"

namespace ym::sim::elastic {

using Catalog = std::vector<Application>;

// The applications without their measurements: limits, epochs, the one that takes one GPU only.
std::vector<Profile> known_profiles();

// Precondition of the profiles: names, limits and epochs are set.
Result<Catalog> read_catalog(const std::string& folder, std::vector<Profile> profiles = known_profiles());

// In the order of the file, at least one. `invalid` also for a request that its application cannot run.
Result<std::vector<JobRequest>> read_workload(const std::string& path, const Catalog& catalog);

}  // namespace ym::sim::elastic
