// One run of the engine into the future, on a state of its own.
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
  Instant until;  // who begins later is not among them

  std::optional<Instant> start_of(JobId job) const {
    const auto found = starts.find(job);
    return found == starts.end() ? std::nullopt : std::optional(found->second);
  }
};

class Future {
 public:
  // `state` is its own to spoil.
  Future(State state, const Policy& policy, Instant now, Pace pace);

  // When those begin who wait now, as far as the bounds let it see. To be called once.
  Foreseen run(const ForecastBounds& bounds);
  // After that, once: why nothing is known of the others. Within what the run has left of the bounds.
  std::map<JobId, NoStart> why_not(const ForecastBounds& bounds);

 private:
  // Of an attempt, unless something else is expected of it since.
  struct Ending {
    Instant at;
    JobId job;
    bool operator>(const Ending& other) const { return at != other.at ? at > other.at : job > other.job; }
  };

  // What a look into the future came to: all have begun; nothing more changes before the horizon; or its bounds.
  enum class End : std::uint8_t { all, horizon, bounds };

  End look(const ForecastBounds& bounds);
  // Ends those of whom no end is expected, for this reason; false: there are none.
  bool release(NoStart cause);
  void happen(EventPayload payload);
  void carry_out(const Admission& admission);
  void carry_out(const Preemption& preemption);
  void carry_out(const Eviction& eviction);
  void carry_out(const Resize&) {}  // it is switched off
  void carry_out(const NominationRelease& release) { happen(NominationEnded{release.job}); }
  void carry_out(const Deferral&) {}
  void keep_to_go_on(JobId job, const std::vector<TaskPlacement>& placement, Duration kept_for);
  void stop(JobId job, PreemptionCause cause, std::optional<JobId> yields_to);
  void end(JobId job);
  // Nodes that were asked for come when they are due.
  void want(const Provision& provision);
  void expect_nodes(const Flavor& flavor, Instant since);
  void receive_nodes();
  // Of its live attempt.
  void expect_end(JobId job);
  // What ends next; nothing: nothing does.
  std::optional<Ending> next_ending();
  // To when the next decision is due; false: there is none before the horizon.
  bool go_on(const Plan& plan, Instant horizon);
  Duration grain_at(Instant then) const;
  void end_until(Instant last);
  void sample_usage();

  State state_;
  Policy policy_;  // which resizes nothing
  const Instant begin_;
  Instant now_, sampled_;
  const Pace pace_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  std::map<JobId, Instant> expected_;    // of all that are to end
  std::multimap<Instant, Node> coming_;  // nodes that are made
  std::int64_t made_ = 0;
  std::set<JobId> unstarted_;  // of those who waited at the begin
  std::map<JobId, Instant> starts_;
  std::size_t cycles_ = 0, looks_ = 0;
  End end_ = End::all;
  Instant next_change_;            // as of the last cycle; kNever: there is none
  std::optional<NoStart> blamed_;  // whoever begins now does so because such were ended
  std::map<JobId, NoStart> causes_;
};

}  // namespace ym::engine
