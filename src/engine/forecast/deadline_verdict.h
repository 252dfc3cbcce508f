// Whether a waiting job will meet its deadline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "engine/forecast/forecast.h"

namespace ym::engine {

// A guess like a forecast, but a careful one: a feasible verdict is sure where only limits are known of run times.
struct DeadlineVerdict {
  //   feasible:         it starts in time by the forecast, even if other jobs are slow and starts are as late as recent
  //                     ones
  //   if_others_yield:  it would start in time if these jobs were stopped for it now. No rule asks for that
  //   infeasible:       not even then
  //   unknown:          its duration is not known, as it has no time limit and no similar job has run; or its latest
  //                     start is beyond the forecast
  enum class Outcome : std::uint8_t { feasible, if_others_yield, infeasible, unknown };
  Outcome outcome = Outcome::unknown;
  Instant deadline;
  std::optional<Duration> needed;       // its time limit, or the 90th percentile of similar jobs
  std::optional<Instant> latest_start;  // to end in time
  std::optional<Instant> start;         // predicted; nothing: none within the forecast
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
  // `judge` changes the state and restores it before it returns. All three arguments must outlive this.
  DeadlineJudge(State& state, const Policy& policy, const Forecast& forecast)
      : state_(state), policy_(policy), forecast_(forecast) {}

  // Nothing: the job has no deadline, or is not queued. Cost: one cycle if it is not feasible.
  std::optional<DeadlineVerdict> judge(JobId job);

 private:
  struct Room {
    Instant from;
    std::vector<JobId> preempted_jobs;
  };
  std::optional<Room> room_if_others_yield(JobId job);

  State& state_;
  const Policy& policy_;
  const Forecast& forecast_;
};

}  // namespace ym::engine
