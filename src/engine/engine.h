// The decision engine: a pure function from state, policy and time to a plan.
//
// No input or output, clock, thread, global or randomness of its own (a test checks
// the symbols). The same State, Policy and now give the same plan, byte for
// byte, in every process and build.
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
  // An attempt of an elastic job keeps its size for so long at least, unless others need what it has.
  Duration resize_interval = minutes(30);
  std::int64_t usage_kept = kUsageKept;  // of a minute's usage a minute later, in 2^-32
  // A job that capacity or quota blocks for longer than this is old (cycle/age.h), where its queue says nothing else.
  Duration age_cap = hours(4);
  // What a stop costs beside the work since the last save: loading, warming up.
  Duration restart_cost = minutes(1);
  // A job's own `min_runtime` protects it from those that reclaim lent quota for so long at most.
  Duration reclaim_min_runtime_cap = minutes(10);
  // A job that was preempted so often within an hour is left alone.
  std::int32_t preemptions_per_hour = 4;
  // How long it takes at most from an admission until user code runs and its time limit counts, as far
  // as reservations go: a job that has to be gone by then must be so even if it starts so late.
  Duration start_allowance = minutes(1);
  // For how long beyond the victims' grace a freed place is kept, and those are counted on who leave.
  Duration hold_margin = minutes(2);
  // Off: nobody reads why jobs wait, so the plan does not say it.
  bool verdicts = true;
  // Phases can be switched off one by one in tests.
  bool order_phase = true, quota_phase = true, place_phase = true, preempt_phase = true, reserve_phase = true,
       provision_phase = true, explain_phase = true;
};

// Everything the engine needs to know, dense and incremental. Copying is cheap and
// gives an independent state: dry runs and forecasts work on copies.
class State {
 public:
  State();
  ~State();
  State(const State&);
  State& operator=(const State&);
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;

  // Boots from the tables. load(tables) equals folding the events that led to them.
  static State load(const Tables& tables);

  // Follows one event. Precondition: event.seq is the last one seen plus one.
  void apply(const Event& event);

  std::uint64_t version() const;  // seq of the last event seen

  struct Impl;
  // For the engine alone. What events have left to be done is done first, so that one
  // state is not for several threads at a time, not even for reading.
  const Impl& impl() const;
  Impl& impl();
  // For trials on it: whoever varies it puts it back before it returns.
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

// One cycle. `state` is varied during the cycle and is as before when it returns.
Plan decide(State& state, const Policy& policy, Instant now, PhaseObserver* observer = nullptr);

// Whether a decision still holds in this state and at this time. Nothing: it fits; else why not.
// Admission: the job still waits, no reservation or budget is in its way now, every device is free (or kept for it:
// then it has all of that), every node schedulable, the quota there. Preemption: the job still waits, the victims still
// run under these attempts and may be stopped, and without them its admission would fit. Resize: the attempt still runs
// and may be stopped, and without it its admission there would fit. Release: the job still has the place. Deferral: the
// job still waits.
std::optional<std::string> fits(const State& state, const Decision& decision, Instant now);

// How much of its quota each queue uses, as the engine counts it: what runs in it, or what will run
// when those who leave have left and those are there for whom places are kept; whichever is more.
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

// What counts against the budgets of queues in the windows that it is now, in the budgets' units: by queue, in the
// order of its budgets. Queues without any are left out.
std::map<std::string, std::vector<std::int64_t>> budget_usage(const State& state, Instant now);

}  // namespace ym::engine
