// What a supervisor records of user code: that it runs, and how it ended.
//
// Both carry the token, the task and the claim's nonce; a record that does not fit the
// claim was not written by the claimant and counts for nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "executor/local/attempt/gate.h"
#include "model/job.h"

namespace ym::local {

struct ExitRecord {
  TaskExit exit;
  std::int64_t log_bytes = 0;    // kept
  std::int64_t log_dropped = 0;  // written by the task, but past the cap or not storable
};

Result<void> write_started(int task_folder, const Claim& claim, const ProcessIdentity& leader);
// The leader's process; nothing without a record that fits the claim. Errors: `io`.
Result<std::optional<ProcessIdentity>> read_started(int task_folder, const Claim& claim);

Result<void> write_exit(int task_folder, const Claim& claim, const ExitRecord& record);
// Errors: `not_found`; `corrupt` if it is damaged or does not fit the claim; `io`, which
// says nothing about the end.
Result<ExitRecord> read_exit(int task_folder, const Claim& claim);

// How a task ends that the start gate has released: user code never ran. `at` is left
// for the caller.
TaskExit released_at_gate(StopCause cause);

}  // namespace ym::local
