// Structs of a job file with checks across their keys. Include it where one of them is read.
#pragma once

#include <array>
#include <string_view>

#include "model/job_spec.h"
#include "model/keys/job.h"
#include "spec/keys/read.h"

namespace ym::keys {

// Signals that may ask a job to stop.
inline constexpr std::array<std::string_view, 5> kSignals{"SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2"};

void read_form(const Field& field, JobSpec& spec, NodeCount);
void read_form(const Field& field, JobSpec& spec, MemberCount);
// Checks that the longest pause is not shorter than the first.
void read_into(const Field& field, RetryPolicy& retry, MapOf<RetryPolicy>);
// Without `cpus`, the number of CPUs follows that of GPUs.
void read_into(const Field& field, TaskResources& resources, MapOf<TaskResources>);

}  // namespace ym::keys
