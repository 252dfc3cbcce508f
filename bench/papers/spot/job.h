// A job with a deadline that may run on spot nodes, on demand or not at all; where it is, and what it costs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "papers/spot/market.h"

namespace ym::sim::spot {

// Cents an hour; of a gang, for each of its nodes or for all together. Preconditions: spot is no dearer than on demand,
// and to be on demand until the deadline costs less than a million cents.
struct Prices {
  std::int64_t on_demand_cents = 306;
  std::int64_t spot_cents = 92;
};

// Preconditions: all are positive, and work_ms + start_ms <= deadline_ms, or no policy can be in time.
struct Job {
  std::int64_t work_ms = 48 * kHourMs;
  std::int64_t deadline_ms = 60 * kHourMs;  // from the submission on
  std::int64_t start_ms = kHourMs / 5;      // paid and without progress, at most, each time it starts somewhere
  Prices prices{};
};

enum class Mode : std::uint8_t { idle, on_demand, spot };

struct Place {
  Mode mode = Mode::idle;
  std::size_t zone = 0;  // 0 unless it is on spot
  bool operator==(const Place&) const = default;
};

inline constexpr Place kIdle{}, kOnDemand{.mode = Mode::on_demand};
inline Place on_spot(std::size_t zone) { return {.mode = Mode::spot, .zone = zone}; }

struct JobState {
  std::int64_t now_ms = 0;  // since the submission
  std::int64_t left_ms = 0;
  std::int64_t start_left_ms = 0;  // of the start at the place where it is
  Place place{};
};

JobState submitted(const Job& job);

// What would remain until the deadline if all the work that is left were done at once, without a start.
std::int64_t slack_ms(const Job& job, const JobState& state);

struct Bill {
  std::int64_t on_demand_ms = 0, spot_ms = 0;            // paid, with starts
  std::int64_t on_demand_work_ms = 0, spot_work_ms = 0;  // progress
  std::int64_t starts = 0;
  bool late = false;
};

// In cents times ms / h.
std::int64_t cost(const Bill& bill, const Prices& prices);

// Goes on to `place`, or stays there, for one tick or until the work is done, which is paid to the ms.
void advance(const Job& job, JobState& state, Place place, std::int64_t tick_ms, Bill& bill);

}  // namespace ym::sim::spot
