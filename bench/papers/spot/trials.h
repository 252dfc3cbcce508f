// Many runs of one kind of job on one market, from different starts, under each policy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "papers/spot/estimator.h"
#include "papers/spot/planned_policy.h"

namespace ym::sim::spot {

// The ticks of the market that runs lie in, and what the planned policy learns from before.
enum class Part {
  whole,   // learns from nothing
  second,  // the second half; learns from the first
};

struct RandomStarts {
  std::int64_t count = 300;
  std::uint64_t seed = 1000;
};
struct EveryNthTick {
  std::size_t n = 31;
};
using Starts = std::variant<RandomStarts, EveryNthTick>;

// Ticks from which a job has the time to its deadline within that part of the market; in the order they are drawn.
// Precondition: there are some.
std::vector<std::size_t> starts_of(const Market& market, const Job& job, Part part, const Starts& starts);

// What was seen before runs in that part.
Observations seen_before(const Market& market, Part part);

enum class Rule : std::uint8_t { greedy, uniform_progress, planned };
inline constexpr std::array kRules{Rule::greedy, Rule::uniform_progress, Rule::planned};

// Sums over runs.
struct Total {
  std::int64_t cost = 0;  // cents times ms / h
  std::int64_t on_demand_work_ms = 0, spot_work_ms = 0;
  std::int64_t late = 0;  // runs
};

// `plans` are of that job; of the other rules they are not used, nor is what was learnt.
Total total_of(Rule rule, const Job& job, const Market& market, const std::vector<std::size_t>& starts,
               const Estimator& learnt, Plans& plans);

// The same for who knows the market.
std::int64_t least_total(const Job& job, const Market& market, const std::vector<std::size_t>& starts);

}  // namespace ym::sim::spot
