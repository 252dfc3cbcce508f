// Events: every change of the state, and its audit record.
//
// Tables hold the present state. They change only by folding events (model/tables.h). One transaction writes both. Each
// payload type has a stable name, and says how soon the engine reacts (Reaction). It contains the job or attempt that
// it is about. Code that handles events has an overload for each type, or one for all types that say about themselves
// what it needs. A missing overload does not compile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/joined_text.h"
#include "base/time.h"
#include "model/access/access_token.h"
#include "model/access/audit_outcome.h"
#include "model/access/binding.h"
#include "model/access/principal.h"
#include "model/access/project.h"
#include "model/access/provisioned.h"
#include "model/access/roles.h"
#include "model/cluster.h"
#include "model/history/erasure.h"
#include "model/history/history_segment.h"
#include "model/job_event.h"
#include "model/policy_settings.h"
#include "model/queue.h"
#include "model/reservation.h"

namespace ym {

// The server took over the state and began a new epoch.
struct ServerStarted {
  static constexpr std::string_view kType = "server.started";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr bool kConcernsEngine = false;
  std::uint64_t epoch = 0;
  std::string version;
  // This many of the next ids are skipped: the state was set back, and the ids may be in use already.
  std::uint64_t ids_passed_over = 0;
  bool operator==(const ServerStarted&) const = default;
};

// --- rows with a name (model/tables.h): configured and discovered objects
// Makes or replaces the row.
template <class Row>
struct RowSet {
  static constexpr std::string_view kSuffix = ".set";
  static constexpr std::string_view kType = kJoined<Row::kRow, kSuffix>;
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr bool kConcernsEngine = !IgnoredByEngine<Row>;
  Row row;
  bool operator==(const RowSet&) const = default;
};
template <class Row>
struct RowRemoved {
  static constexpr std::string_view kSuffix = ".removed";
  static constexpr std::string_view kType = kJoined<Row::kRow, kSuffix>;
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr bool kConcernsEngine = !IgnoredByEngine<Row>;
  std::string name;
  bool operator==(const RowRemoved&) const = default;
};
using ClusterSet = RowSet<Cluster>;
using ClusterRemoved = RowRemoved<Cluster>;
using NodeSet = RowSet<Node>;
using NodeRemoved = RowRemoved<Node>;
using FlavorSet = RowSet<Flavor>;
using FlavorRemoved = RowRemoved<Flavor>;
using QueueSet = RowSet<Queue>;
using QueueRemoved = RowRemoved<Queue>;
using ReservationSet = RowSet<AdvanceReservation>;
using ReservationRemoved = RowRemoved<AdvanceReservation>;
using PolicySet = RowSet<PolicyRow>;
using PolicyRemoved = RowRemoved<PolicyRow>;
using PrincipalSet = RowSet<Principal>;
using PrincipalRemoved = RowRemoved<Principal>;
using TokenSet = RowSet<AccessToken>;
using TokenRemoved = RowRemoved<AccessToken>;
using RoleSet = RowSet<Role>;
using RoleRemoved = RowRemoved<Role>;
using BindingSet = RowSet<Binding>;
using BindingRemoved = RowRemoved<Binding>;
using ProjectSet = RowSet<Project>;
using ProjectRemoved = RowRemoved<Project>;
using ProvisionedGroupSet = RowSet<ProvisionedGroup>;
using ProvisionedGroupRemoved = RowRemoved<ProvisionedGroup>;
using HistorySegmentSet = RowSet<HistorySegment>;
using HistorySegmentRemoved = RowRemoved<HistorySegment>;
using ErasureSet = RowSet<Erasure>;
using ErasureRemoved = RowRemoved<Erasure>;

// The flavor should have this many nodes in all; 0: no job waits for one.
struct NodesWanted {
  static constexpr std::string_view kType = "nodes.wanted";
  static constexpr Reaction kReaction = Reaction::at_once;
  std::string flavor;
  std::int64_t nodes = 0;
  bool operator==(const NodesWanted&) const = default;
};

// Brings all usage rows to this time (model/usage.h).
struct UsageSampled {
  static constexpr std::string_view kType = "usage.sampled";
  static constexpr Reaction kReaction = Reaction::at_once;
  static constexpr std::string_view kReason = "the minute is over";
  Instant at;             // on the grid
  std::int64_t kept = 0;  // part of a usage that is left one minute later, in units of 2^-32
  bool operator==(const UsageSampled&) const = default;
};

// --- records: these change no row
// What a request of the event's actor did. A request that changes something has its record right after the events of
// its changes, in the same transaction. Refusals, and reads of what belongs to others, have a record alone.
struct RequestAudited {
  static constexpr std::string_view kType = "audit.request";
  static constexpr Reaction kReaction = Reaction::nothing;
  static constexpr bool kConcernsEngine = false;
  static constexpr std::string_view kReason = "recorded";
  // Longer texts of clients are cut.
  static constexpr std::size_t kLongestText = 200;

  std::string verb;    // "jobs.cancel": the permission that it needs; or "login"
  std::string object;  // "job:00000001", "queue:a"; of a refused request its method and route
  AuditOutcome outcome = AuditOutcome::done;
  std::string code{};      // of the refusal
  std::uint64_t from = 0;  // the first event of its changes, which end before this one; 0: it changed nothing
  std::int64_t count = 1;  // equal requests within a minute, counted together
  std::string token{};     // id of the access token
  std::string behalf{};    // the principal for which it was made; empty: the actor itself
  std::string source{};    // address of the client
  std::string agent{};     // User-Agent
  std::string request{};   // X-Request-Id
  bool operator==(const RequestAudited&) const = default;
};

// Seals the events of a span, and with them all before: see control/audit/seal.h.
struct LogSealed {
  static constexpr std::string_view kType = "log.sealed";
  static constexpr Reaction kReaction = Reaction::nothing;
  static constexpr bool kConcernsEngine = false;
  static constexpr std::string_view kReason = "sealed";
  std::uint64_t from = 0, to = 0;  // both are in the span
  std::string leaves;              // a hash of each event, in base64
  std::string chain;               // hash over this span and the seal before, in hexadecimal digits
  bool operator==(const LogSealed&) const = default;
};

// The order of the types does not matter: payloads are stored under their type's name.
using EventVariant =
    WithJobEvents<ServerStarted, ClusterSet, ClusterRemoved, NodeSet, NodeRemoved, FlavorSet, FlavorRemoved,
                  NodesWanted, QueueSet, QueueRemoved, ReservationSet, ReservationRemoved, PolicySet, PolicyRemoved,
                  PrincipalSet, PrincipalRemoved, TokenSet, TokenRemoved, RoleSet, RoleRemoved, BindingSet,
                  BindingRemoved, ProjectSet, ProjectRemoved, ProvisionedGroupSet, ProvisionedGroupRemoved,
                  HistorySegmentSet, HistorySegmentRemoved, ErasureSet, ErasureRemoved, UsageSampled, RequestAudited,
                  LogSealed>;

// An event's payload. It is a class so that copying, moving and destroying about fifty alternatives is compiled once,
// and not in every file with a vector of events. std::visit, std::get_if and assignment are those of the variant.
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

// The job or attempt that the event is about, if there is one.
std::optional<JobId> job_of(const EventPayload& payload);
std::optional<AttemptKey> attempt_of(const EventPayload& payload);

}  // namespace ym
