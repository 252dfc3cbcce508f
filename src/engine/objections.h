// Objections to running a job in a place, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/state/impl.h"

namespace ym::engine {

// Nothing: there is no objection.
using Objection = std::optional<std::string>;

// Where a gang is to run, by names: a view of an admission, a preemption or a nomination.
struct Place {
  const std::string& cluster;
  const std::string& flavor;
  const std::vector<TaskPlacement>& placement;
};

// The job does not wait for a place.
Objection job_objects(const State::Impl& state, JobId id);
// The job does not come in this size.
Objection size_objects(const Shape& shape, std::size_t tasks);
// The queue may not use the flavor at all, or has too little quota for a gang of this size.
Objection quota_objects(const State::Impl& state, const Shape& sized, const std::string& flavor, When when);
// A limit of running jobs would be exceeded. A running job is counted already, with what it has.
Objection limit_objects(const State::Impl& state, JobId job, const Shape& sized);
// A budget would be exceeded.
Objection budget_objects(const State::Impl& state, JobId job, const Shape& sized, const std::string& flavor,
                         Instant now);
// An advance reservation for others begins on a node before the job would be gone.
Objection advance_reservation_objects(const State::Impl& state, JobId job, const Place& place, Instant now);
// A node cannot serve the job, its devices or room are not free, or it would get two tasks.
Objection gang_objects(const State::Impl& state, const Place& place, const Shape& shape, When when);
// The place is not available any more, even if other jobs end: a node or device of it is gone or out of service, or
// the queue may not use it.
Objection place_is_gone(const State::Impl& state, const Place& place, const Shape& shape);
// The quota is not available any more, even if other jobs end. Precondition: the place is not gone.
Objection quota_is_gone(const State::Impl& state, const Place& place, const Shape& shape);

}  // namespace ym::engine
