#include "model/job.h"

#include <tuple>

namespace ym {

bool Job::operator==(const Job& o) const {
  const auto fields = [](const Job& j) {
    return std::tie(j.id, j.spec_id, j.group, j.group_index, j.depends_on, j.name, j.project, j.owner, j.run_as,
                    j.queue, j.priority, j.state, j.pending, j.message, j.cancel_requested, j.submitted_at,
                    j.waits_since, j.started_at, j.ended_at, j.not_before, j.attempts, j.retries, j.hold, j.checkpoints,
                    j.preempted_at);
  };
  return fields(*this) == fields(o) && (spec == o.spec || (spec && o.spec && *spec == *o.spec));
}

}  // namespace ym
