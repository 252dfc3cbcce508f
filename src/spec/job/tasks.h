// Programs and requests of a job's tasks: of all of them together, or group by group.
#pragma once

#include "model/job_spec.h"
#include "spec/text/field.h"

namespace ym::spec {

// Reads `groups: [{name: learners, nodes: 2, resources: .., run: ..}, ..]`. A group takes keys that it leaves out
// from the job, `resources` as a whole. Precondition: the other keys of the job are read.
void read_groups(const Field& field, JobSpec& spec);
// Reports a gang if its sum of memory exceeds the limit.
void check_totals(const Field& job, const JobSpec& spec);

}  // namespace ym::spec
