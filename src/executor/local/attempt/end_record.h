// Records that a supervisor writes about user code: that it runs, and how it ended.
//
// Both carry the token, the task and the nonce of the claim. A record that does not match the claim is from another
// supervisor and is ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/raw_report.h"
#include "model/job.h"

namespace ym::local {

struct ExitRecord {
  TaskExit exit;
  std::int64_t log_bytes = 0;    // kept
  std::int64_t log_dropped = 0;  // bytes of the task that were not kept: past the cap, or not storable
  // The last few reports of user code, oldest first. Empty in a record of version 2.
  std::vector<RawReport> progress{};
};

// `at`: when user code began.
Result<void> write_started(int task_folder, const Claim& claim, const ProcessIdentity& leader, Instant at);
// The process of the leader. Empty: there is no record that matches the claim. Errors: `io`.
Result<std::optional<ProcessIdentity>> read_started(int task_folder, const Claim& claim);
// Empty: there is no such record, or an older supervisor wrote it without the time.
std::optional<Instant> read_start_time(int task_folder, const Claim& claim);

// Durable when it returns. It uses the reserve, if there is one.
Result<void> write_exit(int task_folder, const Claim& claim, const ExitRecord& record);
// Errors: `not_found`; `corrupt` (it is damaged or does not match the claim); `io` (it says nothing about the end).
Result<ExitRecord> read_exit(int task_folder, const Claim& claim);
// For use after a reboot, which may have lost the claim, or the rename of the record. Then the record's own token and
// task count. Errors: as read_exit().
Result<ExitRecord> read_last_exit(int task_folder, const Token& token, std::int32_t task);

// How a task ends that was released at the launch barrier: user code never ran. The caller sets `at`.
TaskExit released_at_barrier(StopCause cause);

}  // namespace ym::local
