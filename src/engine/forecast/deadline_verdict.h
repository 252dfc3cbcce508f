// Whether a job that waits will make its deadline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "engine/forecast/forecast.h"

namespace ym::engine {

// A guess as a forecast is, but a careful one: where run times are known only by limits it holds.
struct DeadlineVerdict {
  //   feasible:         it starts in time as things stand, also if others are slow, and as late as starts were lately
  //   if_others_yield:  it would if these jobs were stopped for it now, which no rule asks of them
  //   infeasible:       not even then
  //   unknown:          how long it takes is not known: it has neither a time limit nor run before; or the forecast
  //                     does not see so far
  enum class Outcome : std::uint8_t { feasible, if_others_yield, infeasible, unknown };
  Outcome outcome = Outcome::unknown;
  Instant deadline;
  std::optional<Duration> needed;       // its time limit; or what nine of ten jobs like it took
  std::optional<Instant> latest_start;  // so that it ends in time
  std::optional<Instant> start;         // when it would; nothing: not in sight
  std::vector<JobId> yields;            // by id
  bool operator==(const DeadlineVerdict&) const = default;
};

constexpr std::string_view to_string(DeadlineVerdict::Outcome value) {
  switch (value) {
    case DeadlineVerdict::Outcome::feasible: return "feasible";
    case DeadlineVerdict::Outcome::if_others_yield: return "if-others-yield";
    case DeadlineVerdict::Outcome::infeasible: return "infeasible";
    case DeadlineVerdict::Outcome::unknown: return "unknown";
  }
  return {};
}

class DeadlineJudge {
 public:
  // The state is varied while it judges, and as before afterwards. All three must outlive this.
  DeadlineJudge(State& state, const Policy& policy, const Forecast& forecast)
      : state_(state), policy_(policy), forecast_(forecast) {}

  // Nothing: it has no deadline, or does not wait for its turn. Cost: one cycle if it is not feasible.
  std::optional<DeadlineVerdict> judge(JobId job);

 private:
  struct Room {
    Instant from;
    std::vector<JobId> victims;
  };
  std::optional<Room> room_if_others_yield(JobId job);

  State& state_;
  const Policy& policy_;
  const Forecast& forecast_;
};

}  // namespace ym::engine
