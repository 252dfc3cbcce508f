#include "engine/preemption/all_sets.h"

#include <algorithm>
#include <vector>

#include "base/assert.h"

namespace ym::engine {
namespace {

struct PricedSet {
  Price price;
  Candidates preempted_jobs;
};

// One bit for each candidate.
using Set = unsigned;

Candidates members(const Candidates& candidates, Set set) {
  Candidates some;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if ((set >> i & 1U) != 0) some.push_back(candidates[i]);
  return some;
}

// The sets that contain all of `needed`.
std::vector<PricedSet> cheapest_first(const Candidates& candidates, Set needed) {
  std::vector<PricedSet> sets;
  for (Set set = 1; set < 1U << candidates.size(); ++set) {
    if ((set & needed) != needed) continue;
    Candidates preempted_jobs = members(candidates, set);
    sets.push_back({.price = Price::of(preempted_jobs), .preempted_jobs = std::move(preempted_jobs)});
  }
  std::ranges::sort(sets, {}, &PricedSet::price);
  return sets;
}

// Without a check of rights. The more jobs have gone, the more room there is.
bool is_enough(Room& room, const Candidates& gone) {
  const auto mark = room.trial().mark();
  for (const Candidate& one : gone) room.depart(one);
  const bool enough = room.place().has_value();
  room.trial().roll_back(mark);
  return enough;
}

// Candidates without which all others are not enough. Because of them most sets need not be tried.
Set needed_of(Room& room, const Candidates& candidates) {
  const Set all = (1U << candidates.size()) - 1;
  Set needed = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (!is_enough(room, members(candidates, all & ~(1U << i)))) needed |= 1U << i;
  return needed;
}

}  // namespace

std::optional<Found> best_of_all_sets(Room& room, const Candidates& candidates) {
  YM_ASSERT(candidates.size() <= kFewCandidates);
  if (room.place() || !is_enough(room, candidates)) return std::nullopt;
  for (const PricedSet& set : cheapest_first(candidates, needed_of(room, candidates)))
    if (auto found = room.prove(set.preempted_jobs)) return found;
  return std::nullopt;
}

}  // namespace ym::engine
