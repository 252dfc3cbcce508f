// Elastic jobs at one of their sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "model/job.h"

namespace ym::reference {

// The job as if it had asked for this number of nodes.
inline Job sized(const Job& job, std::int32_t nodes) {
  JobSpec spec = *job.spec;
  spec.nodes = nodes;
  spec.min_nodes.reset();
  Job other = job;
  other.spec = std::make_shared<const JobSpec>(std::move(spec));
  return other;
}

}  // namespace ym::reference
