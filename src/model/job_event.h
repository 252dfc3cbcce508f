// What happens to jobs and their attempts: payloads of events (model/event.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "model/job.h"

namespace ym {

// How soon the engine decides anew because of it: whether it may let a job start that could not before. `soon`: all
// that is new is a job that waits. `nothing`: what user code says of itself and the steps of a start only change what a
// stop would cost; why a job waits is what the engine itself has said.
enum class Rouses : std::uint8_t { nothing, soon, at_once };

// --- jobs
struct JobSubmitted {
  static constexpr std::string_view kType = "job.submitted";
  static constexpr Rouses kRouses = Rouses::soon;
  Job job;  // state queued or held
  bool operator==(const JobSubmitted&) const = default;
};
struct JobHeld {
  static constexpr std::string_view kType = "job.held";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  bool operator==(const JobHeld&) const = default;
};
struct JobReleased {
  static constexpr std::string_view kType = "job.released";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  bool operator==(const JobReleased&) const = default;
};
// The dominant reason for waiting has another code now. Numbers are not recorded.
struct JobDeferred {
  static constexpr std::string_view kType = "job.deferred";
  static constexpr Rouses kRouses = Rouses::nothing;
  JobId job;
  ReasonCode code = ReasonCode::pending_evaluation;
  bool operator==(const JobDeferred&) const = default;
};
// From here on the job never starts again.
struct CancelRequested {
  static constexpr std::string_view kType = "job.cancel_requested";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  bool operator==(const CancelRequested&) const = default;
};
// Its attempt ended and it will get another; keeps its submit time.
struct JobRequeued {
  static constexpr std::string_view kType = "job.requeued";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  RetryCause cause = RetryCause::infra;
  std::optional<Instant> not_before;
  bool operator==(const JobRequeued&) const = default;
};
// More is known of how long jobs like it run.
struct RunTimePredicted {
  static constexpr std::string_view kType = "job.predicted";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  PredictedRunTime run_time;
  bool operator==(const RunTimePredicted&) const = default;
};
struct JobFinished {
  static constexpr std::string_view kType = "job.finished";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  JobState state = JobState::succeeded;  // terminal
  std::string message;
  bool operator==(const JobFinished&) const = default;
};

// A place is kept for it from now on; replaces the one that was kept before.
struct HoldPlaced {
  static constexpr std::string_view kType = "hold.placed";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  Hold hold;
  bool operator==(const HoldPlaced&) const = default;
};
// The place is nobody's any more. An admission or an end of the job ends its hold by itself.
struct HoldEnded {
  static constexpr std::string_view kType = "hold.ended";
  static constexpr Rouses kRouses = Rouses::at_once;
  JobId job;
  bool operator==(const HoldEnded&) const = default;
};
// So much more of what an attempt that has ended has done is to be done again.
struct FurtherLoss {
  std::int32_t attempt = 0;
  std::int64_t gpu_ms = 0;
  bool operator==(const FurtherLoss&) const = default;
};
// It cannot be resumed from: it is not there any more. A live attempt that was to resume
// from it resumes from the one before.
struct CheckpointSkipped {
  static constexpr std::string_view kType = "checkpoint.skipped";
  static constexpr Rouses kRouses = Rouses::nothing;
  JobId job;
  Checkpoint checkpoint;
  std::vector<FurtherLoss> further_losses{};  // by attempt: of those whose work it had kept
  bool operator==(const CheckpointSkipped&) const = default;
};

// --- attempts
// Admission: quota reserved, placement taken and the launch intended, in one.
struct AttemptAdmitted {
  static constexpr std::string_view kType = "attempt.admitted";
  static constexpr Rouses kRouses = Rouses::at_once;
  Attempt attempt;  // state intended
  bool operator==(const AttemptAdmitted&) const = default;
};
struct AttemptSubmitted {
  static constexpr std::string_view kType = "attempt.submitted";
  static constexpr Rouses kRouses = Rouses::nothing;
  AttemptKey attempt;
  bool operator==(const AttemptSubmitted&) const = default;
};
struct AttemptStarting {
  static constexpr std::string_view kType = "attempt.starting";
  static constexpr Rouses kRouses = Rouses::nothing;
  AttemptKey attempt;
  bool operator==(const AttemptStarting&) const = default;
};
// It has its place, and its cluster says why it does not begin there.
struct StartDelayed {
  static constexpr std::string_view kType = "attempt.delayed";
  static constexpr Rouses kRouses = Rouses::nothing;
  AttemptKey attempt;
  std::string message;
  bool operator==(const StartDelayed&) const = default;
};
// Each task off this machine was claimed, and user code may start for these claims alone.
struct GateOpened {
  static constexpr std::string_view kType = "attempt.gate_opened";
  static constexpr Rouses kRouses = Rouses::nothing;
  AttemptKey attempt;
  std::vector<TaskClaim> claims;  // by task
  bool operator==(const GateOpened&) const = default;
};
struct TaskStarted {
  static constexpr std::string_view kType = "task.started";
  static constexpr Rouses kRouses = Rouses::nothing;
  AttemptKey attempt;
  std::int32_t task = 0;
  bool operator==(const TaskStarted&) const = default;
};
// User code has started in every task; while contact is lost, that is all that is known.
struct AttemptStarted {
  static constexpr std::string_view kType = "attempt.started";
  static constexpr Rouses kRouses = Rouses::at_once;
  AttemptKey attempt;
  bool operator==(const AttemptStarted&) const = default;
};
struct AttemptStopping {
  static constexpr std::string_view kType = "attempt.stopping";
  static constexpr Rouses kRouses = Rouses::at_once;
  AttemptKey attempt;
  StopCause cause = StopCause::cancel;
  std::optional<PreemptionCause> preemption{};  // exactly if the cause is preemption
  std::optional<JobId> yields_to{};             // preemption only, as is what follows
  std::int64_t estimated_lost_gpu_ms = 0;
  std::optional<Instant> stop_by{};  // of any cause: when its grace is over
  std::int32_t resizes_to = 0;       // elastic: it goes on with so many nodes, where it is or beside; 0: it does not

  // Whether it makes room for somebody, or for nobody: not only to go on at once with another size.
  bool is_counted_as_preemption() const {
    return cause == StopCause::preemption && (resizes_to == 0 || yields_to.has_value());
  }
  bool operator==(const AttemptStopping&) const = default;
};
// What user code says of itself; a checkpoint in it is the job's newest from then on, and not dated
// before the one that was.
struct AttemptProgressed {
  static constexpr std::string_view kType = "attempt.progress";
  static constexpr Rouses kRouses = Rouses::nothing;
  AttemptKey attempt;
  ProgressReport report;
  bool operator==(const AttemptProgressed&) const = default;
};
struct TaskEnded {
  static constexpr std::string_view kType = "task.ended";
  static constexpr Rouses kRouses = Rouses::at_once;
  AttemptKey attempt;
  std::int32_t task = 0;
  TaskExit exit;
  bool operator==(const TaskEnded&) const = default;
};
struct ContactLost {
  static constexpr std::string_view kType = "contact.lost";
  static constexpr Rouses kRouses = Rouses::at_once;
  AttemptKey attempt;
  bool operator==(const ContactLost&) const = default;
};
struct ContactRegained {
  static constexpr std::string_view kType = "contact.regained";
  static constexpr Rouses kRouses = Rouses::at_once;
  AttemptKey attempt;
  bool operator==(const ContactRegained&) const = default;
};
// Processes are gone in every task: devices and quota are free again.
struct AttemptEnded {
  static constexpr std::string_view kType = "attempt.ended";
  static constexpr Rouses kRouses = Rouses::at_once;
  AttemptKey attempt;
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  std::optional<std::int64_t> lost_gpu_ms{};  // these two as in its row
  std::optional<Culprit> culprit{};
  bool operator==(const AttemptEnded&) const = default;
};

}  // namespace ym
