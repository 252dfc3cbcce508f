// What a supervisor records of user code: that it runs, and how it ended.
//
// Both carry the token, the task and the claim's nonce; a record that does not fit the
// claim was not written by the claimant and counts for nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "executor/local/attempt/gate.h"
#include "executor/local/attempt/raw_report.h"
#include "model/job.h"

namespace ym::local {

struct ExitRecord {
  TaskExit exit;
  std::int64_t log_bytes = 0;    // kept
  std::int64_t log_dropped = 0;  // written by the task, but past the cap or not storable
  // What user code said last, oldest first; a few of them. None in a record of version 2.
  std::vector<RawReport> progress{};
};

Result<void> write_started(int task_folder, const Claim& claim, const ProcessIdentity& leader);
// The leader's process; nothing without a record that fits the claim. Errors: `io`.
Result<std::optional<ProcessIdentity>> read_started(int task_folder, const Claim& claim);

// Durable when it returns; the reserve, if there is one, goes into it.
Result<void> write_exit(int task_folder, const Claim& claim, const ExitRecord& record);
// Errors: `not_found`; `corrupt` if it is damaged or does not fit the claim; `io`, which
// says nothing about the end.
Result<ExitRecord> read_exit(int task_folder, const Claim& claim);
// After a restart of the machine, which may have cost the claim, or the last name of the
// record: the end of this task by what the record says of itself. Errors: as read_exit().
Result<ExitRecord> read_last_exit(int task_folder, const Token& token, std::int32_t task);

// How a task ends that the start gate has released: user code never ran. `at` is left
// for the caller.
TaskExit released_at_gate(StopCause cause);

}  // namespace ym::local
