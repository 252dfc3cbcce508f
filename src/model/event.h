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
#include "model/job_event.h"
#include "model/policy_settings.h"
#include "model/queue.h"
#include "model/reservation.h"

namespace ym {

// The server took the state over under a new epoch.
struct ServerStarted {
  static constexpr std::string_view kType = "server.started";
  std::uint64_t epoch = 0;
  std::string version;
  // Of the next ids so many are never given out: the state was set back, and they may have been before.
  std::uint64_t ids_passed_over = 0;
  bool operator==(const ServerStarted&) const = default;
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
// So many nodes of the flavor are to be there in all; 0: nobody waits for any.
struct NodesWanted {
  static constexpr std::string_view kType = "nodes.wanted";
  std::string flavor;
  std::int64_t nodes = 0;
  bool operator==(const NodesWanted&) const = default;
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

struct ReservationSet {
  static constexpr std::string_view kType = "reservation.set";
  AdvanceReservation reservation;
  bool operator==(const ReservationSet&) const = default;
};
struct ReservationRemoved {
  static constexpr std::string_view kType = "reservation.removed";
  std::string name;
  bool operator==(const ReservationRemoved&) const = default;
};

struct PolicySet {
  static constexpr std::string_view kType = "policy.set";
  PolicyRow policy;
  bool operator==(const PolicySet&) const = default;
};
struct PolicyRemoved {
  static constexpr std::string_view kType = "policy.removed";
  std::string name;
  bool operator==(const PolicyRemoved&) const = default;
};

// The usage of all is brought to this time (model/usage.h).
struct UsageSampled {
  static constexpr std::string_view kType = "usage.sampled";
  Instant at;             // on the grid
  std::int64_t kept = 0;  // of a minute's usage a minute later, in 2^-32
  bool operator==(const UsageSampled&) const = default;
};

// The order is part of nothing: payloads are stored under their type's name.
using EventVariant =
    std::variant<ServerStarted, JobSubmitted, JobHeld, JobReleased, JobDeferred, CancelRequested, JobRequeued,
                 JobFinished, AttemptAdmitted, AttemptSubmitted, AttemptStarting, StartDelayed, GateOpened, TaskStarted,
                 AttemptStarted, AttemptStopping, AttemptProgressed, HoldPlaced, HoldEnded, CheckpointSkipped,
                 RunTimePredicted, TaskEnded, ContactLost, ContactRegained, AttemptEnded, ClusterSet, ClusterRemoved,
                 NodeSet, NodeRemoved, FlavorSet, FlavorRemoved, NodesWanted, QueueSet, QueueRemoved, ReservationSet,
                 ReservationRemoved, PolicySet, PolicyRemoved, UsageSampled>;

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
