// The decision engine: a pure function from state, policy and time to a plan.
//
// It has no input or output, clock, thread, global or randomness of its own; a test checks the symbols. The same
// State, Policy and `now` give the same plan, byte for byte, in every process and build.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "engine/plan.h"
#include "model/scoring.h"
#include "model/tables.h"

namespace ym::engine {

// Settings of a cycle. Values, not code: what a site can configure.
struct Policy {
  FairShare fair_share = FairShare::decayed;
  Scoring scoring = Scoring::fgd;
  FlavorChoice flavor_choice = FlavorChoice::listed;
  Consolidation consolidation = Consolidation::off;
  Resizing resizing = Resizing::on;
  // An attempt of an elastic job keeps its size for at least this time, unless other jobs need its nodes.
  Duration resize_interval = minutes(30);
  std::int64_t usage_kept = kUsageKept;  // part of a minute's usage that still counts a minute later, in 2^-32
  // A job that capacity or quota blocks for longer than this is old (cycle/order/age.h). A queue may set another value.
  Duration age_cap = hours(4);
  // What a stop costs besides the work since the last save: loading, warming up.
  Duration restart_cost = minutes(1);
  // A job's own `min_runtime` protects it from the reclaim of lent quota for at most this time.
  Duration reclaim_min_runtime_cap = minutes(10);
  // A job with this number of preemptions within an hour is not preempted.
  std::int32_t preemptions_per_hour = 4;
  // Longest time that backfill reservations assume from an admission until user code runs and the time limit counts. A
  // job that must be gone at a time must be gone even if it starts this late.
  Duration start_allowance = minutes(1);
  // A nominated placement is kept for this time beyond the grace of the preempted jobs. For the same time beyond its
  // grace, the engine relies on the end of a job that stops.
  Duration hold_margin = minutes(2);
  // Off: no user reads why jobs wait, so the plan does not contain it.
  bool verdicts = true;
  // Phases can be switched off one by one in tests.
  bool order_phase = true, quota_phase = true, place_phase = true, preempt_phase = true, reserve_phase = true,
       provision_phase = true, explain_phase = true;
  bool operator==(const Policy&) const = default;
};

// All that the engine needs to know, dense and incremental. A copy is independent and cheap to make: dry runs and
// forecasts work on copies.
class State {
 public:
  State();
  ~State();
  State(const State&);
  State& operator=(const State&);
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;

  // Builds the state from the tables. load(tables) equals folding the events that led to them.
  static State load(const Tables& tables);

  // Follows one event. Precondition: event.seq is the seq of the last event seen, plus one.
  void apply(const Event& event);

  std::uint64_t version() const;  // seq of the last event seen

  struct Impl;
  // For the engine alone. The first call after an event completes work that the event has put off. So several threads
  // must not use one state at a time, not even to read it.
  const Impl& impl() const;
  Impl& impl();
  // For trials. A caller that changes the state restores it before it returns.
  Impl& scratch() const;

 private:
  std::unique_ptr<Impl> impl_;
};

// Called around each phase, so that the caller can time it with its own clock.
class PhaseObserver {
 public:
  virtual ~PhaseObserver() = default;
  virtual void begin(std::string_view phase) = 0;
  virtual void end(std::string_view phase) = 0;
};

// One cycle. It changes `state` while it runs and restores it before it returns.
Plan decide(State& state, const Policy& policy, Instant now, PhaseObserver* observer = nullptr);

// Checks whether a decision still holds in this state at this time. Returns nothing if it fits, else the objection.
// Admission: the job still waits, no reservation or budget is in its way, every device is free, every node
// schedulable, and the quota is available. If the job has a nominated placement, the admission uses all of it.
// Preemption: the job still waits, the jobs to preempt still run under these attempts and may be stopped, and without
// them the admission of the job would fit.
// Resize: the attempt still runs and may be stopped, and without it the admission of the job there would fit.
// Release: the job still has a nominated placement. Deferral: the job still waits.
std::optional<std::string> fits(const State& state, const Decision& decision, Instant now);

// How much of its quota each queue uses, as the engine counts it. This is the larger of two amounts: what its jobs use
// now; and what they will use when stopping jobs have left and jobs with nominated placements have started.
struct QueueUsage {
  std::string queue;
  std::string flavor;
  ResourceKind kind;
  std::optional<std::int64_t> nominal;  // absent: unlimited
  std::int64_t used = 0;
  std::int64_t borrowed = 0;
  bool operator==(const QueueUsage&) const = default;
};
std::vector<QueueUsage> queue_usage(const State& state);  // by queue, flavor, kind

// What counts against the budgets of queues in the current windows, in the budgets' units: by queue, in the order of
// its budgets. Queues without a budget are left out.
std::map<std::string, std::vector<std::int64_t>> budget_usage(const State& state, Instant now);

}  // namespace ym::engine
