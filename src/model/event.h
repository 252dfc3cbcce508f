// Events: everything that ever happens to the state, and the audit record of it.
//
// Tables hold the present state; they change only by folding events
// (model/tables.h). Both are written in one transaction.
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
  std::uint64_t epoch = 0;
  std::string version;
  bool operator==(const ServerStarted&) const = default;
};

// --- jobs
struct JobSubmitted {
  Job job;  // state queued or held
  bool operator==(const JobSubmitted&) const = default;
};
struct JobHeld {
  JobId job;
  bool operator==(const JobHeld&) const = default;
};
struct JobReleased {
  JobId job;
  bool operator==(const JobReleased&) const = default;
};
// The dominant reason for waiting has another code now. Numbers are not recorded.
struct JobDeferred {
  JobId job;
  ReasonCode code = ReasonCode::pending_evaluation;
  bool operator==(const JobDeferred&) const = default;
};
// From here on the job never starts again.
struct CancelRequested {
  JobId job;
  bool operator==(const CancelRequested&) const = default;
};
// Its attempt ended and it will get another; keeps its submit time.
struct JobRequeued {
  JobId job;
  RetryCause cause = RetryCause::infra;
  std::optional<Instant> not_before;
  bool operator==(const JobRequeued&) const = default;
};
struct JobFinished {
  JobId job;
  JobState state = JobState::succeeded;  // terminal
  std::string message;
  bool operator==(const JobFinished&) const = default;
};

// --- attempts
// Admission: quota reserved, placement taken and the launch intended, in one.
struct AttemptAdmitted {
  Attempt attempt;  // state intended
  bool operator==(const AttemptAdmitted&) const = default;
};
struct AttemptSubmitted {
  AttemptKey attempt;
  bool operator==(const AttemptSubmitted&) const = default;
};
struct AttemptStarting {
  AttemptKey attempt;
  bool operator==(const AttemptStarting&) const = default;
};
struct TaskStarted {
  AttemptKey attempt;
  std::int32_t task = 0;
  bool operator==(const TaskStarted&) const = default;
};
// User code runs in every task.
struct AttemptStarted {
  AttemptKey attempt;
  bool operator==(const AttemptStarted&) const = default;
};
struct AttemptStopping {
  AttemptKey attempt;
  StopCause cause = StopCause::cancel;
  bool operator==(const AttemptStopping&) const = default;
};
struct TaskEnded {
  AttemptKey attempt;
  std::int32_t task = 0;
  TaskExit exit;
  bool operator==(const TaskEnded&) const = default;
};
struct ContactLost {
  AttemptKey attempt;
  bool operator==(const ContactLost&) const = default;
};
struct ContactRegained {
  AttemptKey attempt;
  bool operator==(const ContactRegained&) const = default;
};
// Processes are gone in every task: devices and quota are free again.
struct AttemptEnded {
  AttemptKey attempt;
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  bool operator==(const AttemptEnded&) const = default;
};

// --- configuration and inventory; Set both creates and replaces
struct ClusterSet {
  Cluster cluster;
  bool operator==(const ClusterSet&) const = default;
};
struct ClusterRemoved {
  std::string name;
  bool operator==(const ClusterRemoved&) const = default;
};
struct NodeSet {
  Node node;
  bool operator==(const NodeSet&) const = default;
};
struct NodeRemoved {
  std::string name;
  bool operator==(const NodeRemoved&) const = default;
};
struct FlavorSet {
  Flavor flavor;
  bool operator==(const FlavorSet&) const = default;
};
struct FlavorRemoved {
  std::string name;
  bool operator==(const FlavorRemoved&) const = default;
};
struct QueueSet {
  Queue queue;
  bool operator==(const QueueSet&) const = default;
};
struct QueueRemoved {
  std::string name;
  bool operator==(const QueueRemoved&) const = default;
};

// The order is part of nothing: payloads are stored under their type's name.
using EventPayload =
    std::variant<ServerStarted, JobSubmitted, JobHeld, JobReleased, JobDeferred, CancelRequested, JobRequeued,
                 JobFinished, AttemptAdmitted, AttemptSubmitted, AttemptStarting, TaskStarted, AttemptStarted,
                 AttemptStopping, TaskEnded, ContactLost, ContactRegained, AttemptEnded, ClusterSet, ClusterRemoved,
                 NodeSet, NodeRemoved, FlavorSet, FlavorRemoved, QueueSet, QueueRemoved>;

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
