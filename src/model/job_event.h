// Events of jobs and attempts: payloads of model/event.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"
#include "model/job.h"

namespace ym {

// How soon the engine makes a new decision after the event. `at_once`: a job that could not start before may start now.
// `soon`: the event only adds a waiting job. `nothing`: reports of user code and steps of a start only change the cost
// of a stop, and the reason why a job waits comes from the engine itself.
enum class Reaction : std::uint8_t { nothing, soon, at_once };

// Whether the engine's state is the same after the event. A payload that does not say so concerns the engine.
template <class T>
concept IgnoredByEngine = requires { requires !T::kConcernsEngine; };

// The reason of an event without one: `kDone` by the actor, or always `kReason`. Other payloads have an overload
// in control/state/reasons.cc.
template <class T>
concept DoneByActor = requires { T::kDone; };
template <class T>
concept HasOneReason = requires { T::kReason; };

// What a payload is about: its member `attempt` or `job`. JobSubmitted has the job's row, AttemptAdmitted the
// attempt's.
template <class T>
concept AboutAttempt = requires(const T& event) { event.attempt.job; };
template <class T>
concept AboutJob = requires(const T& event) {
  { event.job } -> std::same_as<const JobId&>;
};

// --- jobs
struct JobSubmitted {
  static constexpr std::string_view kType = "job.submitted";
  static constexpr Reaction kReaction = Reaction::soon;
  static constexpr std::string_view kDone = "submitted";
  Job job;  // state queued or held
  bool operator==(const JobSubmitted&) const = default;
};
struct JobHeld {
  static constexpr std::string_view kType = "job.held";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kDone = "held";
  JobId job;
  bool operator==(const JobHeld&) const = default;
};
struct JobReleased {
  static constexpr std::string_view kType = "job.released";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kDone = "released";
  JobId job;
  bool operator==(const JobReleased&) const = default;
};
// The main reason why the job waits has another code now. The details of a reason are not stored.
struct JobDeferred {
  static constexpr std::string_view kType = "job.deferred";
  static constexpr Reaction kReaction = Reaction::nothing;
  JobId job;
  ReasonCode code = ReasonCode::pending_evaluation;
  bool operator==(const JobDeferred&) const = default;
};
// The job never starts again after this.
struct CancelRequested {
  static constexpr std::string_view kType = "job.cancel_requested";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kDone = "cancelled";
  JobId job;
  bool operator==(const CancelRequested&) const = default;
};
// The job's attempt ended and it will get another. It keeps its submit time.
struct JobRequeued {
  static constexpr std::string_view kType = "job.requeued";
  static constexpr Reaction kReaction = Reaction::at_once;
  JobId job;
  RetryCause cause = RetryCause::infra;
  std::optional<Instant> not_before;
  bool operator==(const JobRequeued&) const = default;
};
// The run times of more similar jobs are known.
struct RunTimePredicted {
  static constexpr std::string_view kType = "job.predicted";
  static constexpr Reaction kReaction = Reaction::at_once;
  JobId job;
  PredictedRunTime run_time;
  bool operator==(const RunTimePredicted&) const = default;
};
struct JobFinished {
  static constexpr std::string_view kType = "job.finished";
  static constexpr Reaction kReaction = Reaction::at_once;
  JobId job;
  JobState state = JobState::succeeded;  // terminal
  std::string message;
  bool operator==(const JobFinished&) const = default;
};

// The job gets a nominated placement, which replaces an earlier one.
struct PlacementNominated {
  static constexpr std::string_view kType = "hold.placed";
  static constexpr Reaction kReaction = Reaction::at_once;
  JobId job;
  NominatedPlacement nomination;
  bool operator==(const PlacementNominated&) const = default;
};
// The job loses its nominated placement. An admission or the end of the job has the same effect without this event.
struct NominationEnded {
  static constexpr std::string_view kType = "hold.ended";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kReason = "the nominated placement has ended";
  JobId job;
  bool operator==(const NominationEnded&) const = default;
};
// More GPU time was lost of an attempt that has ended.
struct FurtherLoss {
  std::int32_t attempt = 0;
  std::int64_t gpu_ms = 0;
  bool operator==(const FurtherLoss&) const = default;
};
// The checkpoint does not exist any more. A live attempt that should resume from it resumes from the one before.
struct CheckpointSkipped {
  static constexpr std::string_view kType = "checkpoint.skipped";
  static constexpr Reaction kReaction = Reaction::nothing;
  JobId job;
  Checkpoint checkpoint;
  std::vector<FurtherLoss> further_losses{};  // by attempt: those with work that only this checkpoint had saved
  bool operator==(const CheckpointSkipped&) const = default;
};

// --- attempts
// Admission: reserves quota, takes the placement and records the intent to launch.
struct AttemptAdmitted {
  static constexpr std::string_view kType = "attempt.admitted";
  static constexpr Reaction kReaction = Reaction::at_once;
  Attempt attempt;  // state intended
  bool operator==(const AttemptAdmitted&) const = default;
};
struct AttemptSubmitted {
  static constexpr std::string_view kType = "attempt.submitted";
  static constexpr Reaction kReaction = Reaction::nothing;
  static constexpr std::string_view kReason = "the executor has it";
  AttemptKey attempt;
  bool operator==(const AttemptSubmitted&) const = default;
};
struct AttemptStarting {
  static constexpr std::string_view kType = "attempt.starting";
  static constexpr Reaction kReaction = Reaction::nothing;
  static constexpr std::string_view kReason = "its tasks prepare to start";
  AttemptKey attempt;
  bool operator==(const AttemptStarting&) const = default;
};
// The attempt has its place. Its cluster reports why it does not start there yet.
struct StartDelayed {
  static constexpr std::string_view kType = "attempt.delayed";
  static constexpr Reaction kReaction = Reaction::nothing;
  AttemptKey attempt;
  std::string message;
  bool operator==(const StartDelayed&) const = default;
};
// Each remote task was claimed. Only these task agents may start user code.
struct BarrierOpened {
  static constexpr std::string_view kType = "attempt.gate_opened";
  static constexpr Reaction kReaction = Reaction::nothing;
  static constexpr std::string_view kReason = "every task is there: the launch barrier is open";
  AttemptKey attempt;
  std::vector<TaskClaim> claims;  // by task
  bool operator==(const BarrierOpened&) const = default;
};
struct TaskStarted {
  static constexpr std::string_view kType = "task.started";
  static constexpr Reaction kReaction = Reaction::nothing;
  static constexpr bool kConcernsEngine = false;
  AttemptKey attempt;
  std::int32_t task = 0;
  bool operator==(const TaskStarted&) const = default;
};
// User code has started in every task. While contact is lost, nothing more is known.
struct AttemptStarted {
  static constexpr std::string_view kType = "attempt.started";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kReason = "every task runs";
  AttemptKey attempt;
  // If it became known only later: before the time of the event. For an adopted attempt also before its admission.
  std::optional<Instant> started_at{};
  // When user code began, of an event of this time.
  Instant began(Instant event_time) const { return started_at.value_or(event_time); }
  bool operator==(const AttemptStarted&) const = default;
};
struct AttemptStopping {
  static constexpr std::string_view kType = "attempt.stopping";
  static constexpr Reaction kReaction = Reaction::at_once;
  AttemptKey attempt;
  StopCause cause = StopCause::cancel;
  std::optional<PreemptionCause> preemption{};  // exactly if the cause is preemption
  std::optional<JobId> yields_to{};             // preemption only, as are the next two
  std::int64_t estimated_lost_gpu_ms = 0;
  std::optional<Instant> stop_by{};  // for any cause: when its grace ends
  std::int32_t resizes_to = 0;       // elastic: it continues with this many nodes; 0: it does not

  // False if the attempt stops only to continue with another size, and no job preempts it.
  bool is_counted_as_preemption() const {
    return cause == StopCause::preemption && (resizes_to == 0 || yields_to.has_value());
  }
  bool operator==(const AttemptStopping&) const = default;
};
// A report of user code. A checkpoint in it becomes the job's newest. Its time is not before that of the previous one.
struct AttemptProgressed {
  static constexpr std::string_view kType = "attempt.progress";
  static constexpr Reaction kReaction = Reaction::nothing;
  AttemptKey attempt;
  ProgressReport report;
  bool operator==(const AttemptProgressed&) const = default;
};
struct TaskEnded {
  static constexpr std::string_view kType = "task.ended";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr bool kConcernsEngine = false;
  AttemptKey attempt;
  std::int32_t task = 0;
  TaskExit exit;
  bool operator==(const TaskEnded&) const = default;
};
struct ContactLost {
  static constexpr std::string_view kType = "contact.lost";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kReason = "the executor has no contact";
  AttemptKey attempt;
  bool operator==(const ContactLost&) const = default;
};
struct ContactRegained {
  static constexpr std::string_view kType = "contact.regained";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kReason = "the executor has contact again";
  AttemptKey attempt;
  bool operator==(const ContactRegained&) const = default;
};
// No process runs in any task: devices and quota are free again.
struct AttemptEnded {
  static constexpr std::string_view kType = "attempt.ended";
  static constexpr Reaction kReaction = Reaction::at_once;
  AttemptKey attempt;
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  std::optional<std::int64_t> lost_gpu_ms{};  // these two as in model/job.h
  std::optional<Culprit> culprit{};
  bool operator==(const AttemptEnded&) const = default;
};

template <class... Others>
using WithJobEvents =
    std::variant<Others..., JobSubmitted, JobHeld, JobReleased, JobDeferred, CancelRequested, JobRequeued, JobFinished,
                 AttemptAdmitted, AttemptSubmitted, AttemptStarting, StartDelayed, BarrierOpened, TaskStarted,
                 AttemptStarted, AttemptStopping, AttemptProgressed, PlacementNominated, NominationEnded,
                 CheckpointSkipped, RunTimePredicted, TaskEnded, ContactLost, ContactRegained, AttemptEnded>;

}  // namespace ym
