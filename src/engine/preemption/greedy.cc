#include "engine/preemption/greedy.h"

#include <algorithm>
#include <iterator>

#include "engine/preemption/node_costs.h"
#include "engine/preemption/simulated_evictions.h"

namespace ym::engine {
namespace {

// At most this many nodes are given up because a job there may not be stopped.
constexpr std::size_t kMostNodesGivenUp = 64;

class Greedy {
 public:
  Greedy(Room& room, Candidates candidates) : room_(room), candidates_(std::move(candidates)) {}

  std::optional<Found> best() {
    if (candidates_.empty()) return std::nullopt;
    // If the needed number of nodes cannot be cleared, no order helps.
    if (!room_.has_machines() && !try_by_nodes()) return std::nullopt;
    try_by_price();
    try_by_turns();
    return std::move(best_);
  }

 private:
  bool try_by_nodes() {
    const Claimant& claimant = room_.claimant();
    // Only the other orders clear nodes for the parts of a mix together.
    if (claimant.flavors.is_mix()) return true;
    bool clearable = false;
    for (const Pool& pool : room_.inventory().pools(claimant.flavors.only(), claimant.shape.levels))
      clearable = try_by_nodes(pool) || clearable;
    return clearable;
  }

  bool try_by_nodes(const Pool& pool) {
    const CandidateList candidates(candidates_);
    const Clearings found = cheapest_to_clear(room_, pool, candidates);
    const auto& clearings = found.cheapest_first;
    const std::size_t wanted = room_.claimant().shape.need().nodes;
    if (clearings.size() < wanted) return false;
    SimulatedEvictions gone(room_);
    gone.depart_fresh(candidates_);
    std::size_t cleared = 0, given_up = 0;
    for (auto next = clearings.begin(); cleared < wanted && next != clearings.end(); ++next) {
      Candidates leaving;
      for (const CandidateIndex one : next->leaving) leaving.push_back(candidates[one]);
      if (gone.depart_all(leaving)) ++cleared;
      else if (++given_up == kMostNodesGivenUp) break;
    }
    if (cleared == wanted && (gone.has_room() || depart_enough(gone))) finish(gone);
    return true;
  }

  void try_by_price() {
    SimulatedEvictions gone(room_);
    if (depart_enough(gone)) finish(gone);
  }

  // Finds the number of first candidates that is enough by doubling it.
  bool depart_enough(SimulatedEvictions& gone) {
    std::size_t next = 0;
    for (std::size_t more = 1; next < candidates_.size(); more *= 2) {
      const std::size_t before = gone.size();
      for (; next < candidates_.size() && gone.size() < before + more; ++next) gone.depart(candidates_[next]);
      if (!gone.has_room()) continue;
      gone.shorten(before);
      return true;
    }
    return false;
  }

  void try_by_turns() {
    std::size_t too_few = 0, enough = 0;
    for (std::size_t count = 1; enough == 0; count *= 2) {
      count = std::min(count, candidates_.size());
      if (is_enough_by_turns(count)) enough = count;
      else if (count == candidates_.size()) return;
      else too_few = count;
    }
    while (too_few + 1 < enough) {
      const std::size_t middle = too_few + (enough - too_few) / 2;
      (is_enough_by_turns(middle) ? enough : too_few) = middle;
    }
    SimulatedEvictions gone(room_);
    depart_by_turns(gone, enough);
    finish(gone);
  }

  bool is_enough_by_turns(std::size_t count) {
    SimulatedEvictions gone(room_);
    depart_by_turns(gone, count);
    return gone.has_room();
  }

  void depart_by_turns(SimulatedEvictions& gone, std::size_t count) {
    Candidates first(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(count));
    std::ranges::sort(first, leaves_before);
    for (const Candidate& one : first) gone.depart(one);
  }

  // Precondition: the departed jobs are enough.
  void finish(SimulatedEvictions& gone) {
    gone.thin();
    const Candidates victims = gone.all();
    gone.come_back();
    if (!victims.empty()) keep_better(best_, room_.prove(victims));
  }

  Room& room_;
  Candidates candidates_;
  std::optional<Found> best_;
};

// Its usage is charged on the claimant's side of the tree, below the root.
bool is_on_our_side(const Claimant& claimant, const Candidate& candidate) {
  const QuotaTree& quota = claimant.state.quota;
  const auto top_below_root = [&](QueueIndex queue) {
    while (quota.parent(queue) != kNone && quota.parent(quota.parent(queue)) != kNone) queue = quota.parent(queue);
    return queue;
  };
  return top_below_root(claimant.shape.queue) == top_below_root(candidate.running->place->queue);
}

bool contains(const Candidates& candidates, const Candidate& one) {
  return std::ranges::find(candidates, one.running, &Candidate::running) != candidates.end();
}

// Removes candidates of other queues that the job has no right to even if all others depart. Also marks which of the
// rest may only be stopped to borrow.
Candidates entitled(Room& room, Candidates candidates) {
  while (true) {
    Candidates out, to_borrow;
    {
      SimulatedEvictions ours(room);
      const Candidate* last = nullptr;
      bool on_our_side = false;
      for (const Candidate& one : candidates) {
        if (!last || last->running->place->queue != one.running->place->queue)
          on_our_side = is_on_our_side(room.claimant(), one);
        if (on_our_side) ours.depart(one);
        last = &one;
      }
      to_borrow = room.beyond_nominal(candidates);
      out = room.without_right(to_borrow);
    }
    for (Candidate& one : candidates)
      if (contains(to_borrow, one)) one.lent = Lent::wholly;
    if (out.empty()) return candidates;
    std::erase_if(candidates, [&](const Candidate& candidate) { return contains(out, candidate); });
  }
}

// With all candidates, and with those of the own queue alone.
void try_orders(Room& room, const Candidates& candidates, std::optional<Found>& best) {
  Candidates own;
  std::ranges::copy_if(candidates, std::back_inserter(own), &Candidate::own);
  const Candidates all = entitled(room, candidates);
  keep_better(best, Greedy(room, all).best());
  if (own.size() < all.size()) keep_better(best, Greedy(room, own).best());
}

}  // namespace

std::optional<Found> best_of_greedy_orders(Room& room, const Candidates& candidates) {
  if (room.place()) return std::nullopt;
  std::optional<Found> best;
  try_orders(room, candidates, best);
  // Admissions of this cycle are the first candidates.
  const auto running = std::ranges::find_if(candidates, [](const Candidate& one) { return !one.running->tentative; });
  if (running != candidates.begin()) try_orders(room, Candidates(running, candidates.end()), best);
  return best;
}

}  // namespace ym::engine
