// Plan: what one cycle of the engine decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/strong_index.h"
#include "base/time.h"
#include "engine/reason.h"
#include "model/job.h"

namespace ym::engine {

// What a plan stores once for all jobs that share it: Plan::answers, Plan::reasons.
using AnswerIndex = StrongIndex<struct AnswerTag>;
using ReasonIndex = StrongIndex<struct ReasonTag>;

// The job starts: quota and placement in one decision, for the whole gang.
struct Admission {
  JobId job;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  bool operator==(const Admission&) const = default;
};

// A preempted job, and the work that the stop loses.
struct Victim {
  JobId job;
  std::int32_t attempt = 0;
  std::int64_t lost_gpu_ms = 0;  // GPU time of work to repeat, restart cost included
  // For an elastic job that continues on fewer nodes: the part of its place where it restarts, by task. The part is
  // kept for it as long as the nominated placement of the preempting job. Empty: the job waits.
  std::vector<TaskPlacement> goes_on{};
  bool operator==(const Victim&) const = default;
};

// Jobs are preempted so that `job` can run in their place. The place is proven: when the preempted jobs are gone, all
// of it is free and the job's quota is available. Until then it is the nominated placement of the job (model/job.h,
// NominatedPlacement). The place phase admits the job there.
struct Preemption {
  // `priority`: within its queue. `reclaim`: to get back lent quota. `borrow`: to borrow what other queues had
  // borrowed. `consolidation`: the victims have other places.
  enum class Cause : std::uint8_t { priority, reclaim, borrow, consolidation };
  JobId job;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  // By id. Empty: jobs that stop already make room. The nomination keeps others from taking it.
  std::vector<Victim> victims;
  // The longest grace of the preempted jobs and of other jobs that stop there already (as far as it is left), plus a
  // margin.
  Duration kept_for;
  Cause cause = Cause::priority;
  bool operator==(const Preemption&) const = default;
};

// A job is stopped because its queue is drained, or because it uses quota that was taken away. No job preempts it.
struct Eviction {
  enum class Cause : std::uint8_t { drain, shrink };
  JobId job;
  std::int32_t attempt = 0;
  std::int64_t lost_gpu_ms = 0;  // as of Victim
  std::string queue;             // has the policy, or had the quota: the job's queue, or one above or beside it
  Cause cause = Cause::drain;
  // As of Victim: for an elastic job if quota remains for its smallest size.
  std::vector<TaskPlacement> goes_on{};
  Duration kept_for{};  // how long that place is kept: its grace, and a margin
  bool operator==(const Eviction&) const = default;
};

// A running elastic job grows onto idle nodes. It is stopped and restarts on its nodes and the additional ones. Until
// then these are its nominated placement (model/job.h, NominatedPlacement). The place phase admits it there.
struct Resize {
  JobId job;
  std::int32_t attempt = 0;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task: all nodes after the resize
  std::int64_t lost_gpu_ms = 0;          // as of Victim
  Duration kept_for;                     // its grace, and a margin
  bool operator==(const Resize&) const = default;
};

// The causes as they are stored and counted.
constexpr PreemptionCause preemption_cause(Preemption::Cause cause) {
  switch (cause) {
    case Preemption::Cause::priority: return PreemptionCause::priority;
    case Preemption::Cause::reclaim: return PreemptionCause::reclaim;
    case Preemption::Cause::borrow: return PreemptionCause::borrow;
    case Preemption::Cause::consolidation: return PreemptionCause::consolidation;
  }
  return {};
}
constexpr PreemptionCause preemption_cause(Eviction::Cause cause) {
  switch (cause) {
    case Eviction::Cause::drain: return PreemptionCause::drain;
    case Eviction::Cause::shrink: return PreemptionCause::shrink;
  }
  return {};
}

// The nominated placement of the job ends: it has expired, or it is not available any more (a node or device of it is
// gone).
struct NominationRelease {
  JobId job;
  std::string why;
  bool operator==(const NominationRelease&) const = default;
};

// The job does not run now. A plan contains a deferral only if the code of the job's reason changed.
struct Deferral {
  JobId job;
  ReasonCode code = ReasonCode::pending_evaluation;
  AnswerIndex answer{};
  bool operator==(const Deferral&) const = default;
};

using Decision = std::variant<Admission, Preemption, Eviction, Resize, NominationRelease, Deferral>;

// What holds jobs back, mostly the same for all jobs of one shape.
struct Answer {
  ReasonIndex dominant{};
  std::vector<ReasonIndex> also{};  // further reasons that would hold the jobs back
};

// A waiting job as the cycle saw it, in the order in which jobs were considered.
struct Verdict {
  JobId job;
  AnswerIndex answer{};
};

// Backfill reservation: the waiting job gets these machines at `from`, or earlier if other jobs end earlier or new
// facts arrive. No later job may start that would still be on them then. Each cycle computes reservations anew, so
// they are no stored decision.
struct Reservation {
  JobId job;
  std::string cluster;
  std::string flavor;
  Instant from;
  std::optional<Instant> until;    // nothing: it has no time limit
  std::vector<std::string> nodes;  // by name
  bool operator==(const Reservation&) const = default;
};

// Moving these jobs would open a place for `job`, and costs less than the waiting that it ends: Consolidation::advice.
struct MoveAdvice {
  JobId job;
  std::vector<Victim> moves;  // by id
  Duration saves;             // of the job's waiting time
  bool operator==(const MoveAdvice&) const = default;
};

// Number of nodes that an elastic flavor should have in all, for waiting jobs. 0: no nodes have to be made, and idle
// ones may go. A plan contains it only if the number changed.
struct Provision {
  std::string flavor;
  std::int64_t nodes = 0;
  std::int64_t jobs = 0;  // number of jobs that wait for the nodes
  bool operator==(const Provision&) const = default;
};

struct Plan {
  std::uint64_t version = 0;  // last event the state had seen
  // Evictions and releases first; then admissions and preemptions in the order of decision; then resizes.
  std::vector<Decision> decisions;
  // Every job that still waits, with its reason: `ym why` reads this.
  std::vector<Verdict> verdicts;
  IndexedVector<AnswerIndex, Answer> answers;
  IndexedVector<ReasonIndex, Reason> reasons;
  // In the order in which the cycle made them.
  std::vector<Reservation> reservations;
  std::vector<MoveAdvice> advice;
  std::vector<Provision> provisions;  // by flavor
  // When time alone may change the outcome: a backoff ends, a job reaches its age cap.
  std::optional<Instant> next_wake;

  // Throws std::out_of_range if there is none.
  const Reason& reason(ReasonIndex index) const { return reasons.raw().at(index.value); }
  // For a verdict or a deferral.
  template <class Answered>
  const Answer& answer_to(const Answered& one) const {
    return answers.raw().at(one.answer.value);
  }
  template <class Answered>
  const Reason& dominant(const Answered& one) const {
    return reason(answer_to(one).dominant);
  }
};

// Whether the plan starts, stops and releases no job, and only says why jobs wait.
bool only_defers(const Plan& plan);

std::string to_text(const Decision& decision);  // canonical, in one line
// Canonical text of all decisions, reasons and verdicts: equal plans have equal bytes.
std::string to_text(const Plan& plan);

}  // namespace ym::engine
