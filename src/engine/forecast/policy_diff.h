// What a change of policy would do, before it is made: the engine decides and looks ahead with it and without.
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
  // The settings that there would be instead of these. Empty: as they are.
  std::function<Policy(const Policy&)> settings{};
};

struct PolicyDiff {
  // Would be stopped at once.
  struct Stop {
    JobId job;
    std::int64_t lost_gpu_ms = 0;
    JobId makes_room_for;  // or else
    std::string drained;   // the queue
    std::string shrunk;    // the queue; when its delay is over
    bool operator==(const Stop&) const = default;
  };
  // Would start at another time. Nothing: not before `until`.
  struct Move {
    JobId job;
    std::optional<Instant> before, after;
    bool operator==(const Move&) const = default;
  };

  Instant as_of, until;  // what would begin later is not looked at
  // With the change only, and without it only; by id.
  std::vector<JobId> starts, keeps_waiting;
  std::vector<Stop> stops, spares;
  // Those of the others that wait: earlier and later by more than the forecast is coarse.
  std::vector<Move> sooner, later;
  std::size_t waiting = 0;  // how many were looked at
};

// Nothing is changed. Precondition: parents of the queues exist. Cost: two cycles and two runs of a forecast, each
// within the bounds.
PolicyDiff compare(const State& state, const Policy& policy, Instant now, const PolicyChange& change,
                   const ForecastBounds& bounds = {});

}  // namespace ym::engine
