// What a change of policy would do: the engine decides and forecasts with the change and without it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/forecast/forecast.h"
#include "model/queue.h"

namespace ym::engine {

struct PolicyChange {
  std::vector<Queue> queues;  // created or replaced; the others stay as they are
  // Maps the present settings to the changed ones. Empty: they stay.
  std::function<Policy(const Policy&)> settings{};
};

struct PolicyDiff {
  // A job that would be stopped at once.
  struct Stop {
    JobId job;
    std::int64_t lost_gpu_ms = 0;
    JobId makes_room_for;  // the preempting job; or else
    std::string drained;   // the drained queue; or else
    std::string shrunk;    // the queue with smaller quota, when its delay is over
    bool operator==(const Stop&) const = default;
  };
  // A job that would start at another time. Nothing: not before `until`.
  struct Move {
    JobId job;
    std::optional<Instant> before, after;
    bool operator==(const Move&) const = default;
  };

  Instant as_of, until;  // later starts are not compared
  // Only with the change, and only without it; by id.
  std::vector<JobId> starts, keeps_waiting;
  std::vector<Stop> stops, spares;
  // Other waiting jobs that start earlier or later by more than the forecast's grain.
  std::vector<Move> sooner, later;
  std::size_t waiting = 0;  // how many jobs were compared
};

// Changes nothing. Precondition: parents of the queues exist. Cost: two cycles and two forecast runs, each within the
// bounds.
PolicyDiff compare(const State& state, const Policy& policy, Instant now, const PolicyChange& change,
                   const ForecastBounds& bounds = {});

}  // namespace ym::engine
