// Policies for simulations.
#pragma once

#include <string>
#include <vector>

#include "sim/site/site.h"
#include "sim/workload/job_of_trace.h"
#include "spec/documents.h"
#include "study/listener.h"

namespace ym::study {

// The settings of the cluster's file, replaced by those of the policy's file.
struct Candidate {
  std::string name;
  sim::SiteOptions site;
};

// One for each policy file. Without policy files: the cluster's file itself. Errors: `invalid` names the file.
Result<std::vector<Candidate>> candidates_of(const SimulateOptions& options, const Listener& listener);

// Replaces settings of the site by those of a policy. `path`: the policy's name in errors and warnings. Errors:
// `invalid`: a quota is for a flavor that the site does not have.
Result<void> put_on(sim::SiteOptions& site, PolicyDocument policy, const std::string& path,
                    const OnWarnings& on_warnings);

sim::JobRules rules_of(const SimulateOptions& options, const sim::SiteOptions& site);

}  // namespace ym::study
