// A small world under test: tables, and an engine that has followed every event since.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/tables.h"

namespace ym::testing {

// The time at which scenarios begin. Long after 1970, so that nothing is before it.
inline constexpr Instant kStart{1'800'000'000'000};

class World {
 public:
  // Begins with an available cluster "lab" and the queue "default", which has no quota.
  World();

  const Tables& tables() const { return tables_; }
  engine::State& state() { return state_; }

  // Later events happen at this time, unless it is later already.
  void advance(Instant to) { clock_ = std::max(clock_, to); }
  Instant now() const { return clock_; }
  void apply(EventPayload payload);
  JobId submit(JobSpec spec, Instant at, JobState state = JobState::queued, std::string owner = "ann",
               std::optional<GroupId> group = {});
  // Admits the job as a plan would.
  void start(const engine::Admission& admission);
  // The attempt is asked to stop, because its job was cancelled.
  void cancel(JobId job, std::optional<Instant> stop_by);
  // The job's processes are gone, and it succeeded.
  void end(JobId job);
  // They are gone and it waits again.
  void requeue(JobId job, std::optional<Instant> not_before);

  // One cycle, with the checks of every cycle: the invariants hold after each phase, the state is unchanged afterwards,
  // the plan is the same when asked again, from the tables and from a copy, and every decision fits. Failures are added
  // to `problems`.
  engine::Plan decide(const engine::Policy& policy, Instant now, std::vector<std::string>& problems);
  // Makes these checks only in every Nth cycle: enough for a campaign of thousands.
  void compare_every(int cycles) { compared_every_ = cycles; }
  // Executes the plan. A decision that does not fit is a problem.
  void commit(const engine::Plan& plan, std::vector<std::string>& problems);

 private:
  void end_attempt(JobId job);
  // The parts of the event that are the same for all preemptions.
  void preempt(JobId job, AttemptStopping stopping);
  void commit(const engine::Admission& admission);
  void commit(const engine::Preemption& preemption);
  void commit(const engine::Eviction& eviction);
  void commit(const engine::Resize& resize);
  void commit(const engine::NominationRelease& release);
  void keep_to_go_on(JobId job, const std::vector<TaskPlacement>& placement, Duration kept_for);
  void commit(const engine::Deferral& deferral);

  Tables tables_;
  engine::State state_;
  Instant clock_ = kStart;
  std::uint64_t last_id_ = 0;
  int cycles_ = 0, compared_every_ = 1;
};

// All that the state knows, by names and ids, in whatever way it learned it.
std::string text_of(const engine::State& state);

}  // namespace ym::testing
