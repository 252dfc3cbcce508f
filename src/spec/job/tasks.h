// What the tasks of a job run, and what they need: all of them, or group by group.
#pragma once

#include <optional>

#include "model/job_spec.h"
#include "spec/field.h"

namespace ym::spec {

inline constexpr std::int64_t kMaxNodes = 10'000;

void read_resources(const Field& field, TaskResources& resources);
std::optional<Launcher> read_launcher(const Field& field);
// `groups: [{name: learners, nodes: 2, resources: .., run: ..}, ..]`: what one does not say it has from the job, the
// resources as a whole. Precondition: all else of the job is read.
void read_groups(const Field& field, JobSpec& spec);
// Where nobody could count what the gang takes in all.
void check_totals(const Field& job, const JobSpec& spec);

}  // namespace ym::spec
