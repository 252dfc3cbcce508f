// The closed sets of a job's life cycle, and their names.
//
// The names are part of the API, of the store and of the metrics: they never change.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/enum_names.h"

namespace ym {

// The states that a user sees. Terminal states are final.
enum class JobState : std::uint8_t {
  held,         // waits until a user releases it
  queued,       // waits for a decision; `reason` says why it does not run
  starting,     // admitted: devices are taken, user code does not run yet
  running,      // user code runs in every task
  stopping,     // was asked to stop; the grace runs
  unreachable,  // contact is lost; it keeps its devices and quota
  succeeded,
  failed,
  cancelled,
  timed_out,
};
constexpr std::string_view to_string(JobState value) {
  switch (value) {
    case JobState::held: return "HELD";
    case JobState::queued: return "QUEUED";
    case JobState::starting: return "STARTING";
    case JobState::running: return "RUNNING";
    case JobState::stopping: return "STOPPING";
    case JobState::unreachable: return "UNREACHABLE";
    case JobState::succeeded: return "SUCCEEDED";
    case JobState::failed: return "FAILED";
    case JobState::cancelled: return "CANCELLED";
    case JobState::timed_out: return "TIMED_OUT";
  }
  return {};
}

enum class AttemptState : std::uint8_t {
  intended,   // the launch is committed, but not sent yet
  submitted,  // the executor has it
  starting,   // the executor prepares it (supervisor runs, launch barrier not passed)
  running,    // user code runs in every task
  stopping,   // asked to stop
  unknown,    // its state cannot be seen; never treated as ended
  ended,
};
constexpr std::string_view to_string(AttemptState value) {
  switch (value) {
    case AttemptState::intended: return "INTENDED";
    case AttemptState::submitted: return "SUBMITTED";
    case AttemptState::starting: return "STARTING";
    case AttemptState::running: return "RUNNING";
    case AttemptState::stopping: return "STOPPING";
    case AttemptState::unknown: return "UNKNOWN";
    case AttemptState::ended: return "ENDED";
  }
  return {};
}

enum class TaskState : std::uint8_t { waiting, running, ended };
constexpr std::string_view to_string(TaskState value) {
  switch (value) {
    case TaskState::waiting: return "WAITING";
    case TaskState::running: return "RUNNING";
    case TaskState::ended: return "ENDED";
  }
  return {};
}

// How user code, or its attempt, ended.
enum class EndedBy : std::uint8_t {
  exit,          // by itself, with an exit code
  signal,        // killed by a signal that Yardmaster did not send
  oom,           // out of memory
  time_limit,    // its own time limit, enforced by the supervisor
  preempted,     // stopped for another job
  cancelled,     // stopped by a user
  lost,          // its end was not recorded, but no process is left
  start_failed,  // user code never ran
};
constexpr std::string_view to_string(EndedBy value) {
  switch (value) {
    case EndedBy::exit: return "exit";
    case EndedBy::signal: return "signal";
    case EndedBy::oom: return "oom";
    case EndedBy::time_limit: return "time_limit";
    case EndedBy::preempted: return "preempted";
    case EndedBy::cancelled: return "cancelled";
    case EndedBy::lost: return "lost";
    case EndedBy::start_failed: return "start_failed";
  }
  return {};
}

// How certain it is that a member of a gang failed first, and by itself.
enum class Certainty : std::uint8_t {
  certain,  // its launcher says so, or it was killed, or no other member failed
  likely,   // its end was the first one reported
  guessed,  // several failed at once, each in a way that a lost peer can cause
};
constexpr std::string_view to_string(Certainty value) {
  switch (value) {
    case Certainty::certain: return "certain";
    case Certainty::likely: return "likely";
    case Certainty::guessed: return "guessed";
  }
  return {};
}

// Why an attempt is stopped.
enum class StopCause : std::uint8_t { cancel, preemption, gang_failure, start_timeout };
constexpr std::string_view to_string(StopCause value) {
  switch (value) {
    case StopCause::cancel: return "cancel";
    case StopCause::preemption: return "preemption";
    case StopCause::gang_failure: return "gang_failure";
    case StopCause::start_timeout: return "start_timeout";
  }
  return {};
}

// Why an attempt is preempted or resized. The first four are for another job. Metrics and events have the same names.
enum class PreemptionCause : std::uint8_t {
  priority,       // a job of the same queue is more urgent, or older
  reclaim,        // a job of another queue reclaims quota that its queue had lent
  borrow,         // a more urgent job of another queue needs more than the quota of its queue
  consolidation,  // it moves: it has another place
  drain,          // its queue is drained
  shrink,         // the quota of its queue was cut
  resize,         // it continues with more nodes, which are idle
};
constexpr std::string_view to_string(PreemptionCause value) {
  switch (value) {
    case PreemptionCause::priority: return "priority";
    case PreemptionCause::reclaim: return "reclaim";
    case PreemptionCause::borrow: return "borrow";
    case PreemptionCause::consolidation: return "consolidation";
    case PreemptionCause::drain: return "drain";
    case PreemptionCause::shrink: return "shrink";
    case PreemptionCause::resize: return "resize";
  }
  return {};
}

// Why a job gets another attempt. Each cause has its own counter. `launch`: the executor could not start a launch;
// there is no limit for these.
enum class RetryCause : std::uint8_t { infra, error, preempted, launch };
constexpr std::string_view to_string(RetryCause value) {
  switch (value) {
    case RetryCause::infra: return "infra";
    case RetryCause::error: return "error";
    case RetryCause::preempted: return "preempted";
    case RetryCause::launch: return "launch";
  }
  return {};
}

// Why a queued job does not run now; in order of precedence.
enum class ReasonCode : std::uint8_t {
  held,
  misconfigured,
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
constexpr std::string_view to_string(ReasonCode value) {
  switch (value) {
    case ReasonCode::held: return "Held";
    case ReasonCode::misconfigured: return "Misconfigured";
    case ReasonCode::backoff: return "Backoff";
    case ReasonCode::exceeds_max_quota: return "ExceedsMaxQuota";
    case ReasonCode::exceeds_capacity: return "ExceedsCapacity";
    case ReasonCode::budget_exhausted: return "BudgetExhausted";
    case ReasonCode::limit_reached: return "LimitReached";
    case ReasonCode::waiting_for_quota: return "WaitingForQuota";
    case ReasonCode::priority: return "Priority";
    case ReasonCode::reserved: return "Reserved";
    case ReasonCode::waiting_for_capacity: return "WaitingForCapacity";
    case ReasonCode::fragmented: return "Fragmented";
    case ReasonCode::preemption_pending: return "PreemptionPending";
    case ReasonCode::provisioning: return "Provisioning";
    case ReasonCode::cluster_unavailable: return "ClusterUnavailable";
    case ReasonCode::pending_evaluation: return "PendingEvaluation";
  }
  return {};
}

bool is_terminal(JobState state);
// Whether it has an attempt that holds devices.
bool is_active(JobState state);

}  // namespace ym
