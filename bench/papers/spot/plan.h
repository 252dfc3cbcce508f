// The plan of a job: where to be, by the time to the deadline, the slack, where it is and the state of the market, for
// the least expected cost.
//
// A dynamic program backward from the deadline against a Markov chain of the market. What is left to do is the time
// less the slack, so that slack takes the place of progress and needs no axis of its own. It keeps the rule of the
// deadline guard itself, in steps of the chain; between these, the guard has to.
//
// A value; integers only. Takes a byte for each step of kStepMs to the deadline, unit of slack and state of the chain:
// 1 to 5 MB for jobs of two days, made in 0.05 to 0.4 s.
#pragma once

#include <cstdint>
#include <vector>

#include "papers/spot/chain.h"
#include "papers/spot/job.h"

namespace ym::sim::spot {

inline constexpr std::int64_t kSlackUnitMs = kHourMs / 30;

class Plan {
 public:
  // Preconditions: those of a job; chances of a chain as chain.h has them.
  Plan(const Job& job, const Chain& chain);

  struct Now {
    std::int64_t to_deadline_ms = 0;
    std::int64_t slack_ms = 0;  // less what is left of the start where the job is
    Mode mode = Mode::idle;
    std::size_t state = 0;  // of the chain
  };
  // Spot only in a state in which there is some. Precondition: on spot only in such a state.
  Mode choose(const Now& now) const;

 private:
  int steps_, slacks_;
  std::size_t states_;
  std::vector<std::uint8_t> choices_;  // by step, slack and state; two bits for each mode
};

}  // namespace ym::sim::spot
