#include "control/serve/event_viewer.h"

#include "control/serve/reads.h"

namespace ym {

EventViewer::EventViewer(const Reads& reads, const Caller& caller)
    : reads_(reads), sight_(reads.access_of(caller), caller), sees_all_(ym::sees_all(sight_.access())) {}

Result<Visibility> EventViewer::sight_of(const Event& event) {
  if (sees_all_) return Visibility::whole;
  if (const auto seen = sight_.sees(event.payload)) return *seen ? Visibility::whole : Visibility::hidden;
  const JobId job = *job_of(event.payload);
  if (const auto known = jobs_.find(job); known != jobs_.end()) return known->second;
  const auto sight = reads_.sight_of_job(sight_.access(), job);
  if (sight) jobs_.emplace(job, *sight);
  return sight;
}

}  // namespace ym
