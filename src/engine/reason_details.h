// The facts of each sentence about a waiting job, with its numbers: one struct for each sentence.
//
// `kCode` is the reason code. `kAbout` is the subject, where no field is the subject. reason_fields.h lists the fields
// once more, with the names that the numbers have in the API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"
#include "engine/quota/queue_fault.h"
#include "model/budget.h"
#include "model/ids.h"
#include "model/resources.h"
#include "model/states.h"

namespace ym::engine {

// --- parts of sentences
enum class Unit : std::uint8_t { count, thousandths, bytes };

struct Amount {
  std::int64_t value = 0;
  Unit unit = Unit::count;
  bool operator==(const Amount&) const = default;
};

// What an amount counts: a kind of resource. For GPUs also shares of one GPU, or MIG slices.
struct Counted {
  enum class As : std::uint8_t { whole, share, slices };
  ResourceKind kind = ResourceKind::gpus;
  As as = As::whole;
  std::string profile{};  // of the slices
  bool operator==(const Counted&) const = default;
};
// "gpus", "gpu_share", "mig:1g.10gb"
std::string to_string(const Counted& counted);

// Nodes that a job asks for, and nodes that exist: of `flavor`; else of all flavors that `queue` may use; if both are
// empty, of all flavors.
struct AskedNodes {
  std::string flavor, queue;
  std::int64_t needed = 0;
  std::int64_t possible = 0;              // allowed by the rules, and large enough
  std::int64_t matching = 0;              // allowed by the rules
  std::optional<Amount> gpus_per_node{};  // for a job that needs several nodes
  bool operator==(const AskedNodes&) const = default;
};

// --- Held
struct JobIsHeld {
  static constexpr ReasonCode kCode = ReasonCode::held;
  bool operator==(const JobIsHeld&) const = default;
};
struct QueueIsHeld {
  static constexpr ReasonCode kCode = ReasonCode::held;
  std::string queue;
  bool operator==(const QueueIsHeld&) const = default;
};

// --- Misconfigured
struct QueueIsFaulty {
  static constexpr ReasonCode kCode = ReasonCode::misconfigured;
  QueueFault fault = QueueFault::unknown;
  std::string queue;
  bool operator==(const QueueIsFaulty&) const = default;
};

// --- Backoff
struct TriedAgainLater {
  static constexpr ReasonCode kCode = ReasonCode::backoff;
  Instant until;
  bool operator==(const TriedAgainLater&) const = default;
};

// --- ExceedsMaxQuota
struct NoFlavor {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_max_quota;
  std::string queue;  // may use no flavor
  Counted of;
  Amount needed, max;
  bool operator==(const NoFlavor&) const = default;
};
struct MoreThanMaxQuota {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_max_quota;
  std::string queue, flavor;
  Counted of;
  Amount needed, max;
  bool operator==(const MoreThanMaxQuota&) const = default;
};

// --- ExceedsCapacity: not even if nothing else ran
struct NoAnchor {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "anchor";
  std::string queue;        // all flavors that it may use are spot
  std::int64_t needed = 0;  // nodes
  bool operator==(const NoAnchor&) const = default;
};
struct NoNodes {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "flavor";
  AskedNodes nodes;
  bool operator==(const NoNodes&) const = default;
};
struct NoGpuType {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "gpu_type";
  AskedNodes nodes;
  std::string wanted, offered;  // "a100 or h100", "t4, v100"
  bool operator==(const NoGpuType&) const = default;
};
struct NoSlices {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "mig";
  AskedNodes nodes;
  std::string wanted, offered;  // profiles
  bool operator==(const NoSlices&) const = default;
};
struct NoLabel {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "label";
  AskedNodes nodes;
  std::string wanted, offered;  // "rack=r9", "rack=r1, rack=r2"
  bool operator==(const NoLabel&) const = default;
};
struct NoContainers {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "image";
  AskedNodes nodes;
  bool operator==(const NoContainers&) const = default;
};
struct NoLevel {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "level";
  AskedNodes nodes;
  std::string level;
  bool operator==(const NoLevel&) const = default;
};
struct NoneHasAll {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "rules";
  AskedNodes nodes;
  std::string wanted;  // "type t4, label rack=r1"
  bool operator==(const NoneHasAll&) const = default;
};
struct AllExcluded {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "exclude";
  AskedNodes nodes;
  bool operator==(const AllExcluded&) const = default;
};
// Enough nodes remain only if the job excludes fewer.
struct TooManyExcluded {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "exclude";
  std::string flavor, place;
  std::string parts;  // which parts find too few nodes: "group 2", "the anchor"; empty: the whole job
  std::int64_t needed = 0, possible = 0, excluded = 0;
  bool operator==(const TooManyExcluded&) const = default;
};
struct TooFewNodes {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "nodes";
  AskedNodes nodes;
  std::string place;  // all nodes in one domain of this level; empty: in one cluster
  bool operator==(const TooFewNodes&) const = default;
};
struct NodesTooSmall {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  std::string flavor;
  std::string rules;  // which nodes are allowed; empty: all
  Counted of;
  Amount needed, largest;
  bool operator==(const NodesTooSmall&) const = default;
};
struct GpusTooSmall {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "gpu_memory";
  std::string flavor, rules;
  Amount needed, largest;
  bool operator==(const GpusTooSmall&) const = default;
};
// Each kind alone would fit on a node.
struct NoNodeHasAllKinds {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "together";
  std::string flavor;
  std::optional<Amount> gpus, cpus, memory;  // of one task
  bool operator==(const NoNodeHasAllKinds&) const = default;
};
struct PartsNeverTogether {
  static constexpr ReasonCode kCode = ReasonCode::exceeds_capacity;
  static constexpr std::string_view kAbout = "parts";
  std::string flavor, place;
  std::string lacking;      // the parts that find too few nodes
  std::int64_t needed = 0;  // number of parts
  std::optional<std::int64_t> nodes_needed, nodes_possible;
  bool operator==(const PartsNeverTogether&) const = default;
};

// --- BudgetExhausted
struct OverTheBudget {
  static constexpr ReasonCode kCode = ReasonCode::budget_exhausted;
  std::string queue, flavor;  // empty: all flavors
  BudgetUnit unit = BudgetUnit::gpu_hours;
  BudgetWindow per = BudgetWindow::month;
  std::optional<Amount> needed;  // nothing: the job's time limit is not known
  Amount used, budget;
  std::optional<Instant> until;  // when the next window begins; nothing: that does not help
  bool operator==(const OverTheBudget&) const = default;
};

// --- LimitReached
struct TooManyJobs {
  static constexpr ReasonCode kCode = ReasonCode::limit_reached;
  static constexpr std::string_view kAbout = "jobs";
  std::string queue, user;  // empty: all users
  std::int64_t needed = 0, used = 0, max = 0;
  bool operator==(const TooManyJobs&) const = default;
};
struct TooManyGpus {
  static constexpr ReasonCode kCode = ReasonCode::limit_reached;
  static constexpr std::string_view kAbout = "gpus";
  std::string queue, user;
  Amount needed, used, max;
  bool operator==(const TooManyGpus&) const = default;
};
struct TooManyOfArray {
  static constexpr ReasonCode kCode = ReasonCode::limit_reached;
  static constexpr std::string_view kAbout = "array";
  std::string array;
  std::int64_t needed = 1, used = 0, max = 0;
  bool operator==(const TooManyOfArray&) const = default;
};

// --- WaitingForQuota
struct QuotaInUse {
  static constexpr ReasonCode kCode = ReasonCode::waiting_for_quota;
  std::string queue, flavor;
  Counted of;
  Amount needed, available, used, nominal;
  std::optional<Amount> borrow;  // most that the queue may borrow; nothing: no limit, or no queue to borrow from
  bool operator==(const QuotaInUse&) const = default;
};

// --- Priority
struct BehindAgedJob {
  static constexpr ReasonCode kCode = ReasonCode::priority;
  std::string flavor;
  JobId blocker;
  bool operator==(const BehindAgedJob&) const = default;
};
struct BehindHead {
  static constexpr ReasonCode kCode = ReasonCode::priority;
  std::string queue;  // it is strict
  JobId blocker;
  bool operator==(const BehindHead&) const = default;
};

// --- Reserved
struct ReservedForOther {
  static constexpr ReasonCode kCode = ReasonCode::reserved;
  std::string flavor;
  JobId blocker;
  Instant from;
  bool operator==(const ReservedForOther&) const = default;
};
struct NodesClosed {
  static constexpr ReasonCode kCode = ReasonCode::reserved;
  static constexpr std::string_view kAbout = "nodes";
  std::string flavor, reservation;
  Instant from, until;
  bool operator==(const NodesClosed&) const = default;
};

// --- WaitingForCapacity. `place`: all nodes in one domain of this level; empty: in one cluster.
struct NodesInUse {
  static constexpr ReasonCode kCode = ReasonCode::waiting_for_capacity;
  static constexpr std::string_view kAbout = "nodes";
  std::string flavor, place;
  std::int64_t needed = 0, free = 0;
  std::optional<Amount> gpus_per_node{};
  std::int64_t drained = 0;
  bool operator==(const NodesInUse&) const = default;
};
// For a job of one node.
struct ResourceInUse {
  static constexpr ReasonCode kCode = ReasonCode::waiting_for_capacity;
  std::string flavor;
  Counted of;
  Amount needed, free;
  std::int64_t drained = 0;
  bool operator==(const ResourceInUse&) const = default;
};
struct NodesNotMadeYet {
  static constexpr ReasonCode kCode = ReasonCode::waiting_for_capacity;
  static constexpr std::string_view kAbout = "nodes";
  std::string flavor;
  std::int64_t needed = 0, free = 0, most = 0;
  std::optional<Amount> gpus_per_node{};
  bool operator==(const NodesNotMadeYet&) const = default;
};

// --- Fragmented
struct AnchorApart {
  static constexpr ReasonCode kCode = ReasonCode::fragmented;
  static constexpr std::string_view kAbout = "anchor";
  std::string flavor, place;
  std::int64_t anchor = 0, others = 0;  // nodes
  bool operator==(const AnchorApart&) const = default;
};
struct GroupsApart {
  static constexpr ReasonCode kCode = ReasonCode::fragmented;
  static constexpr std::string_view kAbout = "groups";
  std::string flavor, place;
  std::int64_t groups = 0, needed = 0;  // number of groups; number of nodes
  bool operator==(const GroupsApart&) const = default;
};
struct NodesApart {
  static constexpr ReasonCode kCode = ReasonCode::fragmented;
  static constexpr std::string_view kAbout = "nodes";
  std::string flavor, place;
  std::int64_t needed = 0, free = 0;
  bool operator==(const NodesApart&) const = default;
};
struct GpuMemoryApart {
  static constexpr ReasonCode kCode = ReasonCode::fragmented;
  static constexpr std::string_view kAbout = "gpu_memory";
  std::string flavor;
  Amount needed, largest;
  bool operator==(const GpuMemoryApart&) const = default;
};
struct ResourceApart {
  static constexpr ReasonCode kCode = ReasonCode::fragmented;
  std::string flavor, place;
  Counted of;
  Amount needed, free, largest;
  std::optional<std::int64_t> nodes_needed, nodes_free;  // for a gang
  bool operator==(const ResourceApart&) const = default;
};

// --- the others
struct RoomIsMade {
  static constexpr ReasonCode kCode = ReasonCode::preemption_pending;
  static constexpr std::string_view kAbout = "jobs";
  std::int64_t stopping = 0;  // number of jobs that have not left the place yet
  Instant until;              // until when the placement is nominated
  bool operator==(const RoomIsMade&) const = default;
};
struct NodesAreMade {
  static constexpr ReasonCode kCode = ReasonCode::provisioning;
  static constexpr std::string_view kAbout = "nodes";
  std::string flavor;
  std::int64_t nodes = 0;
  Instant since, until;
  bool operator==(const NodesAreMade&) const = default;
};
struct ClusterUnreachable {
  static constexpr ReasonCode kCode = ReasonCode::cluster_unavailable;
  static constexpr std::string_view kAbout = "nodes";
  std::string flavor;
  std::int64_t needed = 0, unavailable = 0;
  bool operator==(const ClusterUnreachable&) const = default;
};
struct NotEvaluated {
  static constexpr ReasonCode kCode = ReasonCode::pending_evaluation;
  bool operator==(const NotEvaluated&) const = default;
};
// Only the code is known: it was stored, and no cycle has run since.
struct OnlyCode {
  ReasonCode code = ReasonCode::pending_evaluation;
  bool operator==(const OnlyCode&) const = default;
};

using DetailsVariant =
    std::variant<NotEvaluated, OnlyCode, JobIsHeld, QueueIsHeld, QueueIsFaulty, TriedAgainLater, NoFlavor,
                 MoreThanMaxQuota, NoAnchor, NoNodes, NoGpuType, NoSlices, NoLabel, NoContainers, NoLevel, NoneHasAll,
                 AllExcluded, TooManyExcluded, TooFewNodes, NodesTooSmall, GpusTooSmall, NoNodeHasAllKinds,
                 PartsNeverTogether, OverTheBudget, TooManyJobs, TooManyGpus, TooManyOfArray, QuotaInUse, BehindAgedJob,
                 BehindHead, ReservedForOther, NodesClosed, NodesInUse, ResourceInUse, NodesNotMadeYet, AnchorApart,
                 GroupsApart, NodesApart, GpuMemoryApart, ResourceApart, RoomIsMade, NodesAreMade, ClusterUnreachable>;

// A class for the same reason as EventPayload (model/event.h).
class Details : public DetailsVariant {
 public:
  using DetailsVariant::DetailsVariant;
  Details();
  Details(const Details& other);
  Details(Details&& other) noexcept;
  Details& operator=(const Details& other);
  Details& operator=(Details&& other) noexcept;
  ~Details();
  bool operator==(const Details& other) const;
};

}  // namespace ym::engine
