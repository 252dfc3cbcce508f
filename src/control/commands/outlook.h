// What a submit says of jobs that will not do what is meant as things are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/state/staging.h"
#include "model/job_spec.h"

namespace ym {

struct SpecOutlook {
  std::optional<std::string> image_problem;  // it names an image that no cluster could give it: to be refused
  std::vector<std::string> warnings;         // that it can never run as things are: capacity may come, so it is taken
};

// By spec. Precondition: as many queues, each of which is there, and takes jobs.
std::vector<SpecOutlook> outlooks_of(const Staging& staging, const std::vector<JobSpec>& specs,
                                     const std::vector<std::string>& queues);

}  // namespace ym
