// What a job is called, and how many of it there are to be.
#pragma once

#include <cstdint>

#include "model/job_spec.h"
#include "spec/field.h"

namespace ym::spec {

inline constexpr std::int64_t kMostMembers = 10'000;  // of one array

// `name`, `project` and `queue`.
void read_identity(MapReader& map, JobSpec& spec);

// That the name, which may have been made from the program by now, cannot be taken for an id.
void check_name(const Field& job, const JobSpec& spec);

// `array: 8`, or `array: {count: 8, parallel: 2}`.
void read_array(const Field& field, JobSpec& spec);

}  // namespace ym::spec
