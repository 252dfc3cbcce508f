// The closed sets of the life of a job, and how they are written.
//
// The names are part of the API, of the store and of the metrics: they never change.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ym {

// What a job's user sees. Terminal states are final.
enum class JobState : std::uint8_t {
  held,         // waits until somebody releases it
  queued,       // waits for a decision; `reason` says why it does not run
  starting,     // admitted: devices are taken, user code does not run yet
  running,      // user code runs in every task
  stopping,     // asked to stop, uses its grace
  unreachable,  // contact lost; everything it holds stays held
  succeeded,
  failed,
  cancelled,
  timed_out,
};

enum class AttemptState : std::uint8_t {
  intended,   // the launch is committed, not yet acted upon
  submitted,  // the executor has it
  starting,   // the executor prepares it (supervisor up, gate not passed)
  running,    // user code runs in every task
  stopping,   // asked to stop
  unknown,    // its truth cannot be seen; never treated as ended
  ended,
};

enum class TaskState : std::uint8_t { waiting, running, ended };

// How user code, or the attempt around it, came to its end.
enum class EndedBy : std::uint8_t {
  exit,          // by itself, with an exit code
  signal,        // killed by a signal that was not ours
  oom,           // out of memory
  time_limit,    // its own time limit, enforced by the supervisor
  preempted,     // stopped to make room
  cancelled,     // stopped by a user
  lost,          // its end was not recorded; processes are proven gone
  start_failed,  // user code never ran
};

// How sure it is that a member of a gang failed first, and by itself.
enum class Certainty : std::uint8_t {
  certain,  // its launcher says so, or it was killed, or nobody else failed
  likely,   // it was the first by the order of the ends that were heard of
  guessed,  // several failed at once, each in a way that losing a peer brings about
};

// Why somebody stops an attempt.
enum class StopCause : std::uint8_t { cancel, preemption, gang_failure, start_timeout };

// Why a job gets another attempt; each is counted apart. `launch`: the executor could not
// even try, which no limit counts.
enum class RetryCause : std::uint8_t { infra, error, preempted, launch };

// Why a queued job does not run now; in order of precedence.
enum class ReasonCode : std::uint8_t {
  held,
  misconfigured,
  policy_denied,
  dependency,
  begin_time,
  backoff,
  exceeds_max_quota,
  exceeds_capacity,
  budget_exhausted,
  limit_reached,
  waiting_for_quota,
  priority,
  reserved,
  waiting_for_capacity,
  fragmented,
  preemption_pending,
  provisioning,
  cluster_unavailable,
  pending_evaluation,
};

bool is_terminal(JobState state);
// Has an attempt that holds devices.
bool is_active(JobState state);

std::string_view to_string(JobState state);      // "QUEUED"
std::string_view to_string(AttemptState state);  // "RUNNING"
std::string_view to_string(TaskState state);     // "RUNNING"
std::string_view to_string(EndedBy by);          // "time_limit"
std::string_view to_string(Certainty sure);      // "likely"
std::string_view to_string(StopCause cause);     // "preemption"
std::string_view to_string(RetryCause cause);    // "infra"
std::string_view to_string(ReasonCode code);     // "ExceedsMaxQuota"

// Reads what to_string writes; `Enum` is one of the types above.
template <class Enum>
std::optional<Enum> parse_enum(std::string_view text);

}  // namespace ym
