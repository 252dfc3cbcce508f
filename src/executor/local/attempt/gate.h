// The start gate: user code of an attempt starts at most once, in all tasks or in none.
//
// Each task's supervisor claims its task; a claim is never taken back or handed on.
// Then one decision is made for the whole attempt, by whoever comes first: `go` by a
// supervisor that sees every claim, `release` by a stop before the start or by the
// start timeout. Only a claimant that reads `go` starts user code, so an attempt that
// was stopped in time never starts, whoever is restarted when.
//
// What close_gate() promises when it returns, without a wait for the disk:
//   no decision was made       it is `release` now: no task starts user code any more
//   the decision is `release`  that held already
//   the decision is `go`       a task that has not yet executed user code does not do it
//                              any more. The last look is taken by the task's process
//                              itself, just before execve: only an execve that was under
//                              way at that instant goes on, and what runs is asked to
//                              stop as always.
// A machine that loses power may forget all of it; but then nothing runs any more either, and
// what may have run is never started again (see layout.h).
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
// Makes the decision unless there is one. Returns the one that holds.
Result<Decision> decide(int attempt_folder, const Decision& wanted);

// The quick half of a stop: at once for everybody on this machine, see above.
void close_gate(int attempt_folder, StopCause cause);
// Why user code shall not start although the decision is `go`: a stop that came after it.
// Also asked by a forked child, so it only makes system calls.
std::optional<StopCause> late_stop(int attempt_folder);

struct Claim {
  std::int64_t version = 0;  // of its record; 0: it could not be read
  Token token;
  std::int32_t task = 0;
  std::string nonce;  // of this supervisor alone; its records carry it
  ProcessIdentity supervisor;
  std::vector<std::string> cgroups;  // the task's own control groups, as TaskCgroup has them
};

std::string new_nonce();
// How long a claim lasts: through any number of crashes of ours, or through a loss of power, too.
enum class Lasting : std::uint8_t { until_reboot, for_good };
// False if somebody has claimed the task before.
Result<bool> take_claim(int task_folder, const Claim& claim, Lasting lasting = Lasting::until_reboot);
// Errors: `not_found`, `corrupt`, `io`.
Result<Claim> read_claim(int task_folder);

// Looks at the claims of a gang; remembers those that it has seen.
class ClaimWatch {
 public:
  explicit ClaimWatch(std::int32_t tasks) : tasks_(tasks) {}
  bool all_claimed(int attempt_folder);

 private:
  std::int32_t tasks_;
  std::int32_t seen_ = 0;  // the first ones
};

// The supervisor's lock on its task, held until it is gone. Nothing if another holds it.
Result<std::optional<Fd>> try_lock_task(int task_folder);

// How many tasks an attempt has by its folder: theirs are made before the launch record.
std::int32_t count_tasks(int attempt_folder);
// Whether a supervisor of these tasks lives, or that cannot be told.
bool is_held(int attempt_folder, std::int32_t tasks);

}  // namespace ym::local
