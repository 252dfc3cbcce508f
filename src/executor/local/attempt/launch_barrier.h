// The launch barrier: user code of an attempt starts at most once, in all tasks or in none.
//
// The supervisor of each task claims its task. A claim is never revoked or transferred. Then one decision is made for
// the whole attempt; the first caller wins: `go` by a supervisor that sees every claim, or `release` by a stop before
// the start or by the start timeout. A supervisor starts user code only if it has the claim and reads `go`. So an
// attempt that was stopped in time never starts, whatever restarts happen.
//
// What close_barrier() guarantees when it returns, without waiting for the disk:
//   there was no decision      it is `release` now: no task starts user code any more
//   the decision is `release`  that held already
//   the decision is `go`       a task that has not executed user code yet does not do so any more. The
//                              process of the task checks this itself, directly before execve. Only an
//                              execve that is under way at that moment goes on, and that process is
//                              asked to stop as usual.
// A power loss may delete all of this. But then nothing runs any more, and what may have run is never started again
// (see layout.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/attempt/process.h"
#include "model/ids.h"
#include "model/states.h"

namespace ym::local {

struct Decision {
  enum class Verdict : std::uint8_t { go, release };
  Verdict verdict = Verdict::release;
  StopCause cause = StopCause::start_timeout;  // of a release
  bool operator==(const Decision&) const = default;
};

inline constexpr Decision kGo{.verdict = Decision::Verdict::go};
constexpr Decision release_because(StopCause cause) { return {Decision::Verdict::release, cause}; }

// A decision that cannot be read counts as release: user code does not start.
Result<std::optional<Decision>> read_decision(int attempt_folder);
// Makes the decision unless there is one. Returns the valid one.
Result<Decision> decide(int attempt_folder, const Decision& wanted);

// The quick half of a stop: it applies at once to all processes on this machine, see above.
void close_barrier(int attempt_folder, StopCause cause);
// The cause of a stop that came after `go`: user code must not start. A forked child calls it too, so it only makes
// system calls.
std::optional<StopCause> late_stop(int attempt_folder);

struct Claim {
  std::int64_t version = 0;  // of its record; 0: the record is unreadable
  Token token;
  std::int32_t task = 0;
  std::string nonce;  // unique to this supervisor; its records carry it
  ProcessIdentity supervisor;
  std::vector<std::string> cgroups;  // control groups of the task, as in TaskCgroup
};

std::string new_nonce();
// What a claim survives: any crash of Yardmaster's processes, or a power loss too.
enum class Durability : std::uint8_t { until_reboot, for_good };
// False if another supervisor has claimed the task.
Result<bool> take_claim(int task_folder, const Claim& claim, Durability durability = Durability::until_reboot);
// Errors: `not_found`, `corrupt`, `io`.
Result<Claim> read_claim(int task_folder);

// Checks whether all tasks of a gang are claimed. Does not check claims again that it has seen.
class ClaimWatch {
 public:
  explicit ClaimWatch(std::int32_t tasks) : tasks_(tasks) {}
  bool all_claimed(int attempt_folder);

 private:
  std::int32_t tasks_;
  std::int32_t seen_ = 0;  // how many claims, from the first task on
};

// The supervisor's lock on its task, held until the supervisor ends. Empty: another process holds it.
Result<std::optional<Fd>> try_lock_task(int task_folder);

// Number of tasks of an attempt by its task folders, which are made before the launch record.
std::int32_t count_tasks(int attempt_folder);
// Whether a supervisor of one of these tasks lives. True if that is unknown.
bool is_held(int attempt_folder, std::int32_t tasks);

}  // namespace ym::local
