// Plan: what one cycle of the engine decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "engine/reason.h"
#include "model/job.h"

namespace ym::engine {

// Quota reserved and placement chosen, in one decision: a gang whole.
struct Admission {
  JobId job;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  bool operator==(const Admission&) const = default;
};

// Who is stopped to make room, and what that loses.
struct Victim {
  JobId job;
  std::int32_t attempt = 0;
  std::int64_t lost_gpu_ms = 0;  // of work to be done again, restart cost included
  // An elastic job that only becomes smaller: the part of its place where it begins again, by task. It is kept for it
  // as long as the other place for whom it is stopped. Empty: it waits.
  std::vector<TaskPlacement> goes_on{};
  bool operator==(const Victim&) const = default;
};

// Others are stopped so that the job can run where they are. The place is proven: when the
// victims are gone, all of it is free and the job's quota is there. It is kept for the job
// until then (model/job.h, NominatedPlacement), and the place phase admits it there.
struct Preemption {
  // In its queue; lent quota; those who are stopped have other places.
  enum class Cause : std::uint8_t { priority, reclaim, borrow, consolidation };
  JobId job;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  // By id. Empty: those make room who leave already, and nobody else is to take it meanwhile.
  std::vector<Victim> victims;
  // The longest grace of the victims, and what is left of it to others whose leaving makes room; and
  // a margin.
  Duration kept_for;
  Cause cause = Cause::priority;
  bool operator==(const Preemption&) const = default;
};

// Who runs in a queue that is drained, or beyond quota that was taken away, is stopped, for nobody in particular.
struct Eviction {
  enum class Cause : std::uint8_t { drain, shrink };
  JobId job;
  std::int32_t attempt = 0;
  std::int64_t lost_gpu_ms = 0;  // as of a victim
  std::string queue;             // whose policy says so, or whose quota it was: its own, one above it, or one beside it
  Cause cause = Cause::drain;
  // As of a victim: an elastic job for whose smallest part there is quota still.
  std::vector<TaskPlacement> goes_on{};
  Duration kept_for{};  // that place: its grace, and a margin
  bool operator==(const Eviction&) const = default;
};

// An elastic job that runs goes on with more nodes, which are idle: it is stopped, and begins again where it is and on
// those beside. The place is kept for it until then (model/job.h, NominatedPlacement), and the place phase admits it
// there.
struct Resize {
  JobId job;
  std::int32_t attempt = 0;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task: all that it is to have
  std::int64_t lost_gpu_ms = 0;          // as of a victim
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

// The place that was kept for the job is nobody's any more: it has expired, or cannot be had
// (a node or device of it is gone).
struct NominationRelease {
  JobId job;
  std::string why;
  bool operator==(const NominationRelease&) const = default;
};

// The job does not run now. A plan carries one only when the code of its reason changed.
struct Deferral {
  JobId job;
  ReasonCode code = ReasonCode::pending_evaluation;
  std::uint32_t answer = 0;  // index into Plan::answers
  bool operator==(const Deferral&) const = default;
};

using Decision = std::variant<Admission, Preemption, Eviction, Resize, NominationRelease, Deferral>;

// What holds jobs back, mostly the same for all of one shape: indices into Plan::reasons.
struct Answer {
  std::uint32_t dominant = 0;
  std::vector<std::uint32_t> also{};  // what would hold them back too
};

// A waiting job as the cycle saw it, in the order in which jobs were considered.
struct Verdict {
  JobId job;
  std::uint32_t answer = 0;  // index into Plan::answers
};

// A job that waits for machines will have these from then on, unless others leave earlier or what is
// known of them changes: nobody who comes after is let in who would still be in its way. Found anew in
// each cycle, and so no decision that is stored.
struct Reservation {
  JobId job;
  std::string cluster;
  std::string flavor;
  Instant from;
  std::optional<Instant> until;    // nothing: it has no time limit
  std::vector<std::string> nodes;  // by name
  bool operator==(const Reservation&) const = default;
};

// Moving these would open a place for the job, and costs less than the waiting it would end: Consolidation::advice.
struct MoveAdvice {
  JobId job;
  std::vector<Victim> moves;  // by id
  Duration saves;             // of the job's waiting
  bool operator==(const MoveAdvice&) const = default;
};

// So many nodes of an elastic flavor are to be there in all, for those who wait; 0: none have to be made, and what is
// idle may go. A plan says it only where it changed.
struct Provision {
  std::string flavor;
  std::int64_t nodes = 0;
  std::int64_t jobs = 0;  // that wait for them
  bool operator==(const Provision&) const = default;
};

struct Plan {
  std::uint64_t version = 0;  // last event the state had seen
  // Admissions and preemptions in the order they were taken, evictions and releases before them, resizes behind.
  std::vector<Decision> decisions;
  // Every job that still waits, with its reason: what `why` reads.
  std::vector<Verdict> verdicts;
  std::vector<Answer> answers;
  std::vector<Reason> reasons;
  // In the order in which they were given.
  std::vector<Reservation> reservations;
  std::vector<MoveAdvice> advice;
  std::vector<Provision> provisions;  // by flavor
  // When time alone may change the outcome (a backoff ends, an age cap is reached).
  std::optional<Instant> next_wake;

  // Of a verdict or a deferral.
  template <class Answered>
  const Answer& answer_to(const Answered& one) const {
    return answers.at(one.answer);
  }
  template <class Answered>
  const Reason& dominant(const Answered& one) const {
    return reasons.at(answer_to(one).dominant);
  }
};

// Whether it starts, stops and releases nobody, and only says why jobs wait.
bool only_defers(const Plan& plan);

std::string to_text(const Decision& decision);  // canonical, in one line
// Canonical text of all decisions, reasons and verdicts: equal plans have equal bytes.
std::string to_text(const Plan& plan);

}  // namespace ym::engine
