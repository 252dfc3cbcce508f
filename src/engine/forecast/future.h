// One run of the engine into the future, on its own copy of the state.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "engine/forecast/forecast.h"
#include "engine/state/run_times.h"

namespace ym::engine {

struct Foreseen {
  std::map<JobId, Instant> starts;
  Instant until;  // later starts are not listed

  std::optional<Instant> start_of(JobId job) const {
    const auto found = starts.find(job);
    return found == starts.end() ? std::nullopt : std::optional(found->second);
  }
};

class Future {
 public:
  // Takes its own copy of the state, and changes it.
  Future(State state, const Policy& policy, Instant now, Pace pace);

  // When the jobs that wait now start, as far as the bounds allow. Call it once.
  Foreseen run(const ForecastBounds& bounds);
  // Call it once, after `run`: why the starts of the other jobs are not known. Uses what the run has left of the
  // bounds.
  std::map<JobId, NoStart> why_not(const ForecastBounds& bounds);

 private:
  // The end of an attempt. It is stale if another end is expected since.
  struct Ending {
    Instant at;
    JobId job;
    bool operator>(const Ending& other) const { return at != other.at ? at > other.at : job > other.job; }
  };

  // How a run ended: all jobs have started; nothing more changes before the horizon; or a bound was reached.
  enum class End : std::uint8_t { all, horizon, bounds };

  End look(const ForecastBounds& bounds);
  // Ends the running jobs without an expected end, for this cause; false: there are none.
  bool release(NoStart cause);
  void happen(EventPayload payload);
  void carry_out(const Admission& admission);
  void carry_out(const Preemption& preemption);
  void carry_out(const Eviction& eviction);
  void carry_out(const Resize&) {}  // resizing is off
  void carry_out(const NominationRelease& release) { happen(NominationEnded{release.job}); }
  void carry_out(const Deferral&) {}
  void keep_to_go_on(JobId job, const std::vector<TaskPlacement>& placement, Duration kept_for);
  void stop(JobId job, PreemptionCause cause, std::optional<JobId> yields_to);
  void end(JobId job);
  // Requested nodes appear when they are due.
  void want(const Provision& provision);
  void expect_nodes(const Flavor& flavor, Instant since);
  void receive_nodes();
  // Sets the expected end of the job's live attempt.
  void expect_end(JobId job);
  // The next end; nothing: there is none.
  std::optional<Ending> next_ending();
  // Goes to the time of the next decision; false: there is none before the horizon.
  bool go_on(const Plan& plan, Instant horizon);
  Duration grain_at(Instant then) const;
  void end_until(Instant last);
  void sample_usage();

  State state_;
  Policy policy_;  // with resizing off
  const Instant begin_;
  Instant now_, sampled_;
  const Pace pace_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  std::map<JobId, Instant> expected_;    // expected ends
  std::multimap<Instant, Node> coming_;  // nodes that are being made
  std::int64_t made_ = 0;
  std::set<JobId> unstarted_;  // jobs that waited at the begin and have not started
  std::map<JobId, Instant> starts_;
  std::size_t cycles_ = 0, looks_ = 0;
  End end_ = End::all;
  Instant next_change_;            // after the last cycle; kNever: none
  std::optional<NoStart> blamed_;  // cause of the ends that allowed the current starts
  std::map<JobId, NoStart> causes_;
};

}  // namespace ym::engine
