// Problems and warnings of valid specs that cannot run on today's nodes and quotas.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/state/staging.h"
#include "model/job_spec.h"

namespace ym {

struct SpecOutlook {
  std::optional<std::string> image_problem;  // no cluster can run its image: refuse it
  std::vector<std::string> warnings;         // it can never run on today's nodes; accepted, as nodes may come
};

// By spec. Precondition: one queue for each spec; each queue exists and takes jobs.
std::vector<SpecOutlook> outlooks_of(const Staging& staging, const std::vector<JobSpec>& specs,
                                     const std::vector<std::string>& queues);

}  // namespace ym
