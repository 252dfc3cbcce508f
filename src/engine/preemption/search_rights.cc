// Of a search for room: from whom of other queues the job may take quota back.
#include <algorithm>
#include <iterator>

#include "engine/preemption/search.h"

namespace ym::engine {

// Without those of other queues whom the job has no right to, even if all others depart.
RoomSearch::Candidates RoomSearch::entitled(Candidates candidates) {
  drop_queues(candidates, beyond_nominal(candidates));
  if (without_right(candidates).empty()) return candidates;
  while (true) {
    const auto mark = cycle_.trial.mark();
    Candidates ours, gone;
    std::ranges::copy_if(candidates, std::back_inserter(ours), [&](const auto& one) { return is_on_our_side(one); });
    std::size_t next = 0;
    depart_until(ours, next, ours.size(), gone);
    const Candidates out = without_right(candidates);
    cycle_.trial.roll_back(mark);
    if (out.empty()) return candidates;
    drop_queues(candidates, out);
  }
}

// Of those queues that hold one of `out`.
void RoomSearch::drop_queues(Candidates& candidates, const Candidates& out) {
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return !candidate.own && std::ranges::any_of(out, [&](const Candidate& one) { return same_queue(one, candidate); });
  });
}

bool RoomSearch::same_queue(const Candidate& a, const Candidate& b) {
  return a.running->place->queue == b.running->place->queue;
}

// What it holds is charged where the job's quota is, below the top of the tree.
bool RoomSearch::is_on_our_side(const Candidate& candidate) const {
  const QuotaTree& quota = cycle_.state.quota;
  const auto top_below_root = [&](Index queue) {
    while (quota.parent(queue) != kNone && quota.parent(quota.parent(queue)) != kNone) queue = quota.parent(queue);
    return queue;
  };
  return candidate.own || top_below_root(shape_.queue) == top_below_root(candidate.running->place->queue);
}

// One of each queue from which nothing could be taken back as things are, even for nothing.
RoomSearch::Candidates RoomSearch::beyond_nominal(const Candidates& candidates) const {
  Candidates out, seen;
  for (const Candidate& candidate : candidates) {
    const auto same = [&](const Candidate& one) { return same_queue(one, candidate); };
    if (candidate.own || std::ranges::any_of(seen, same)) continue;
    seen.push_back(candidate);
    if (!stays_within(claimant_, *candidate.running->place)) out.push_back(candidate);
  }
  return out;
}

// The same with the quota of the job, as those have departed who have.
RoomSearch::Candidates RoomSearch::without_right(const Candidates& candidates) {
  const auto mark = cycle_.trial.mark();
  cycle_.trial.claim({.job = cycle_.order[rank_], .flavor = claimant_.flavor});
  Candidates out = beyond_nominal(candidates);
  cycle_.trial.roll_back(mark);
  return out;
}

bool RoomSearch::has_right(const Candidates& gone) {
  return std::ranges::all_of(gone, &Candidate::own) || without_right(gone).empty();
}

}  // namespace ym::engine
