#include "papers/spot/trials.h"

#include <memory>

#include "base/assert.h"
#include "base/random.h"
#include "papers/spot/omniscient.h"
#include "papers/spot/published_rules.h"

namespace ym::sim::spot {
namespace {

std::unique_ptr<Policy> make_policy(Rule rule, const Estimator& learnt, Plans& plans) {
  switch (rule) {
    case Rule::greedy: return std::make_unique<Greedy>();
    case Rule::uniform_progress: return std::make_unique<UniformProgress>();
    case Rule::planned: break;
  }
  return std::make_unique<PlannedPolicy>(plans, learnt);
}

std::vector<std::size_t> draw(const RandomStarts& starts, std::size_t first, std::size_t count) {
  Random random(starts.seed);
  std::vector<std::size_t> drawn;
  for (std::int64_t i = 0; i < starts.count; ++i) drawn.push_back(first + random.next() % count);
  return drawn;
}

std::vector<std::size_t> draw(const EveryNthTick& starts, std::size_t first, std::size_t count) {
  YM_ASSERT(starts.n > 0);
  std::vector<std::size_t> drawn;
  for (std::size_t at = 0; at < count; at += starts.n) drawn.push_back(first + at);
  return drawn;
}

}  // namespace

std::vector<std::size_t> starts_of(const Market& market, const Job& job, Part part, const Starts& starts) {
  const auto lasts = static_cast<std::size_t>((job.deadline_ms + market.tick_ms - 1) / market.tick_ms);
  const std::size_t first = part == Part::second ? market.ticks() / 2 : 0;
  YM_ASSERT(market.ticks() >= first + lasts);
  const std::size_t count = market.ticks() - lasts - first + 1;
  return std::visit([&](const auto& way) { return draw(way, first, count); }, starts);
}

Observations seen_before(const Market& market, Part part) {
  return observe(market, 0, part == Part::second ? market.ticks() / 2 : 0);
}

Total total_of(Rule rule, const Job& job, const Market& market, const std::vector<std::size_t>& starts,
               const Estimator& learnt, Plans& plans) {
  Total total;
  for (const std::size_t start : starts) {
    const Bill bill = run(job, market, start, *make_policy(rule, learnt, plans));
    total.cost += cost(bill, job.prices);
    total.on_demand_work_ms += bill.on_demand_work_ms;
    total.spot_work_ms += bill.spot_work_ms;
    total.late += bill.late ? 1 : 0;
  }
  return total;
}

std::int64_t least_total(const Job& job, const Market& market, const std::vector<std::size_t>& starts) {
  std::int64_t sum = 0;
  for (const std::size_t start : starts) sum += least_cost(job, market, start);
  return sum;
}

}  // namespace ym::sim::spot
