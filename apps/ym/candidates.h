// Policies as they are tried in simulations.
#pragma once

#include <string>
#include <vector>

#include "cli/simulate_options.h"
#include "sim/site/site.h"
#include "sim/workload/job_of_trace.h"
#include "spec/documents.h"

namespace ym {

// What the cluster's file says, with what the policy's file says instead.
struct Candidate {
  std::string name;
  sim::SiteOptions site;
};

// One for each policy file; without any, the cluster's file itself. Errors: `invalid`, naming the file.
Result<std::vector<Candidate>> candidates_of(const SimulateOptions& options);

// Puts a policy over what the site has. `path`: what it is called in errors.
Result<void> put_on(sim::SiteOptions& site, PolicyDocument policy, const std::string& path);

sim::JobRules rules_of(const SimulateOptions& options, const sim::SiteOptions& site);

}  // namespace ym
