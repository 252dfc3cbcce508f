// Events: everything that ever happens to the state, and the audit record of it.
//
// Tables hold the present state; they change only by folding events
// (model/tables.h). Both are written in one transaction. Each payload says its stable name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"
#include "model/cluster.h"
#include "model/job.h"
#include "model/queue.h"

namespace ym {

// The server took the state over under a new epoch.
struct ServerStarted {
  static constexpr std::string_view kType = "server.started";
  std::uint64_t epoch = 0;
  std::string version;
  bool operator==(const ServerStarted&) const = default;
};

// --- jobs
struct JobSubmitted {
  static constexpr std::string_view kType = "job.submitted";
  Job job;  // state queued or held
  bool operator==(const JobSubmitted&) const = default;
};
struct JobHeld {
  static constexpr std::string_view kType = "job.held";
  JobId job;
  bool operator==(const JobHeld&) const = default;
};
struct JobReleased {
  static constexpr std::string_view kType = "job.released";
  JobId job;
  bool operator==(const JobReleased&) const = default;
};
// The dominant reason for waiting has another code now. Numbers are not recorded.
struct JobDeferred {
  static constexpr std::string_view kType = "job.deferred";
  JobId job;
  ReasonCode code = ReasonCode::pending_evaluation;
  bool operator==(const JobDeferred&) const = default;
};
// From here on the job never starts again.
struct CancelRequested {
  static constexpr std::string_view kType = "job.cancel_requested";
  JobId job;
  bool operator==(const CancelRequested&) const = default;
};
// Its attempt ended and it will get another; keeps its submit time.
struct JobRequeued {
  static constexpr std::string_view kType = "job.requeued";
  JobId job;
  RetryCause cause = RetryCause::infra;
  std::optional<Instant> not_before;
  bool operator==(const JobRequeued&) const = default;
};
struct JobFinished {
  static constexpr std::string_view kType = "job.finished";
  JobId job;
  JobState state = JobState::succeeded;  // terminal
  std::string message;
  bool operator==(const JobFinished&) const = default;
};

// A place is kept for it from now on; replaces the one that was kept before.
struct HoldPlaced {
  static constexpr std::string_view kType = "hold.placed";
  JobId job;
  Hold hold;
  bool operator==(const HoldPlaced&) const = default;
};
// The place is nobody's any more. An admission or an end of the job ends its hold by itself.
struct HoldEnded {
  static constexpr std::string_view kType = "hold.ended";
  JobId job;
  bool operator==(const HoldEnded&) const = default;
};
// It cannot be resumed from: it is not there any more. A live attempt that was to resume
// from it resumes from the one before.
struct CheckpointSkipped {
  static constexpr std::string_view kType = "checkpoint.skipped";
  JobId job;
  Checkpoint checkpoint;
  bool operator==(const CheckpointSkipped&) const = default;
};

// --- attempts
// Admission: quota reserved, placement taken and the launch intended, in one.
struct AttemptAdmitted {
  static constexpr std::string_view kType = "attempt.admitted";
  Attempt attempt;  // state intended
  bool operator==(const AttemptAdmitted&) const = default;
};
struct AttemptSubmitted {
  static constexpr std::string_view kType = "attempt.submitted";
  AttemptKey attempt;
  bool operator==(const AttemptSubmitted&) const = default;
};
struct AttemptStarting {
  static constexpr std::string_view kType = "attempt.starting";
  AttemptKey attempt;
  bool operator==(const AttemptStarting&) const = default;
};
struct TaskStarted {
  static constexpr std::string_view kType = "task.started";
  AttemptKey attempt;
  std::int32_t task = 0;
  bool operator==(const TaskStarted&) const = default;
};
// User code has started in every task; while contact is lost, that is all that is known.
struct AttemptStarted {
  static constexpr std::string_view kType = "attempt.started";
  AttemptKey attempt;
  bool operator==(const AttemptStarted&) const = default;
};
struct AttemptStopping {
  static constexpr std::string_view kType = "attempt.stopping";
  AttemptKey attempt;
  StopCause cause = StopCause::cancel;
  std::optional<JobId> yields_to{};  // preemption only, as is what follows
  std::int64_t lost_gpu_ms = 0;
  std::optional<Instant> stop_by{};  // of any cause: when its grace is over
  bool operator==(const AttemptStopping&) const = default;
};
// What user code says of itself; a checkpoint in it is the job's newest from then on, and not dated
// before the one that was.
struct AttemptProgressed {
  static constexpr std::string_view kType = "attempt.progress";
  AttemptKey attempt;
  ProgressReport report;
  bool operator==(const AttemptProgressed&) const = default;
};
struct TaskEnded {
  static constexpr std::string_view kType = "task.ended";
  AttemptKey attempt;
  std::int32_t task = 0;
  TaskExit exit;
  bool operator==(const TaskEnded&) const = default;
};
struct ContactLost {
  static constexpr std::string_view kType = "contact.lost";
  AttemptKey attempt;
  bool operator==(const ContactLost&) const = default;
};
struct ContactRegained {
  static constexpr std::string_view kType = "contact.regained";
  AttemptKey attempt;
  bool operator==(const ContactRegained&) const = default;
};
// Processes are gone in every task: devices and quota are free again.
struct AttemptEnded {
  static constexpr std::string_view kType = "attempt.ended";
  AttemptKey attempt;
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  bool operator==(const AttemptEnded&) const = default;
};

// --- configuration and inventory; Set both creates and replaces
struct ClusterSet {
  static constexpr std::string_view kType = "cluster.set";
  Cluster cluster;
  bool operator==(const ClusterSet&) const = default;
};
struct ClusterRemoved {
  static constexpr std::string_view kType = "cluster.removed";
  std::string name;
  bool operator==(const ClusterRemoved&) const = default;
};
struct NodeSet {
  static constexpr std::string_view kType = "node.set";
  Node node;
  bool operator==(const NodeSet&) const = default;
};
struct NodeRemoved {
  static constexpr std::string_view kType = "node.removed";
  std::string name;
  bool operator==(const NodeRemoved&) const = default;
};
struct FlavorSet {
  static constexpr std::string_view kType = "flavor.set";
  Flavor flavor;
  bool operator==(const FlavorSet&) const = default;
};
struct FlavorRemoved {
  static constexpr std::string_view kType = "flavor.removed";
  std::string name;
  bool operator==(const FlavorRemoved&) const = default;
};
struct QueueSet {
  static constexpr std::string_view kType = "queue.set";
  Queue queue;
  bool operator==(const QueueSet&) const = default;
};
struct QueueRemoved {
  static constexpr std::string_view kType = "queue.removed";
  std::string name;
  bool operator==(const QueueRemoved&) const = default;
};

// The order is part of nothing: payloads are stored under their type's name.
using EventVariant =
    std::variant<ServerStarted, JobSubmitted, JobHeld, JobReleased, JobDeferred, CancelRequested, JobRequeued,
                 JobFinished, AttemptAdmitted, AttemptSubmitted, AttemptStarting, TaskStarted, AttemptStarted,
                 AttemptStopping, AttemptProgressed, HoldPlaced, HoldEnded, CheckpointSkipped, TaskEnded, ContactLost,
                 ContactRegained, AttemptEnded, ClusterSet, ClusterRemoved, NodeSet, NodeRemoved, FlavorSet,
                 FlavorRemoved, QueueSet, QueueRemoved>;

// One of them. A class only so that copying, moving and destroying thirty alternatives is
// compiled once, not in every file that has a vector of events: std::visit, std::get_if and
// assignment are the variant's.
class EventPayload : public EventVariant {
 public:
  using EventVariant::EventVariant;
  EventPayload();
  EventPayload(const EventPayload& other);
  EventPayload(EventPayload&& other) noexcept;
  EventPayload& operator=(const EventPayload& other);
  EventPayload& operator=(EventPayload&& other) noexcept;
  ~EventPayload();
  bool operator==(const EventPayload& other) const;
};

struct Event {
  std::uint64_t seq = 0;  // dense from 1; the feed's cursor
  Instant time;           // never before that of an earlier event
  std::string actor;      // principal, "scheduler", "executor:<cluster>" or "server"
  std::string reason;     // why, in a few words; may be empty
  EventPayload payload;
  bool operator==(const Event&) const = default;
};

// The stable name of a payload: "job.submitted", "attempt.ended", "queue.set".
std::string_view type_name(const EventPayload& payload);

// What the event is about, if it is about a job or one of its attempts.
std::optional<JobId> job_of(const EventPayload& payload);
std::optional<AttemptKey> attempt_of(const EventPayload& payload);

}  // namespace ym
