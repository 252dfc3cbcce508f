// The best lawful way to make room for a job in a flavor, with proof that it can run then.
//
// Among lawful plans, best is: lowest of the highest victim priority; fewest victims in queues
// that do not borrow; least work lost; fewest victims; youngest first; smallest ids.
//
// What this cycle has admitted is taken back before anybody who runs is stopped, and costs nothing.
// All possible victims depart in an order until the job's quota is there and it has a place; then,
// from the last, each gets its place back without which the job can run still (Kueue's
// fill-back). So nobody in a plan can be spared. First come those on the nodes that are the
// cheapest to clear; where they do not have enough quota, or some borrow and some do not, the order
// is also tried in which single victims are preferred. With victims of other queues the job must stay
// within its nominal quota, for which some of its own queue may have to leave; they are not
// thought of where even that would be beyond it without the job. It is also looked for without
// them, when it may borrow.
//
// Work is bounded by steps, not time: where no nodes can be cleared nobody departs at all. Else a
// place is looked for each time the number of those who departed has doubled, and then about
// once for each victim.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/preemption/lawful.h"
#include "engine/preemption/roster.h"

namespace ym::engine {

struct RoomPlan {
  std::vector<Running*> victims;  // by id
  Choice choice;                  // where the job runs when they are gone
};

class RoomSearch {
 public:
  // Room for the job of this rank. The cycle's trial is varied and put back.
  RoomSearch(Cycle& cycle, Rank rank, Index flavor, std::vector<Running>& roster);

  // Nothing: stopping others does not help.
  std::optional<RoomPlan> best();
  // The first time at which somebody may be stopped who is spared so far. kNever: there is none.
  Instant next_unspared() const { return next_unspared_; }

 private:
  struct Candidate {
    Running* running = nullptr;
    bool own = false;      // of the job's queue
    bool borrows = false;  // its queue uses more than its nominal
  };
  using Candidates = std::vector<Candidate>;
  struct NodesFirst {
    Candidates candidates;
    std::size_t on_nodes = 0;  // the first so many
  };
  // What the order of plans compares.
  struct Price;
  struct Found;

  // What holds for all that is held in one queue, of the same kinds.
  struct Lending {
    bool reclaimable = false, borrows = false;
  };

  void consider(Running& running);
  const Lending& lending(const Footprint& place);
  static bool before(const Candidate& a, const Candidate& b);
  static bool same_queue(const Candidate& a, const Candidate& b);
  static void drop_queues(Candidates& candidates, const Candidates& out);
  static Price price_of(const Candidates& victims);

  Candidates entitled(Candidates candidates);
  void try_all(const Candidates& candidates, std::optional<Found>& best);
  std::optional<NodesFirst> cheapest_nodes_first(const Candidates& candidates, const Pool& pool) const;
  std::size_t try_in_order(const Candidates& candidates, std::optional<Found>& best);
  bool depart_enough(const Candidates& candidates, Candidates& gone);
  void depart_until(const Candidates& candidates, std::size_t& next, std::size_t count, Candidates& gone);
  void shorten(Candidates& gone, std::size_t too_few);
  void give_back(Candidates& gone);
  std::optional<Choice> place(const Candidates& gone);
  bool has_right(const Candidates& gone);
  Candidates without_right(const Candidates& candidates);
  Candidates beyond_nominal(const Candidates& candidates) const;
  bool is_on_our_side(const Candidate& candidate) const;
  bool is_lawful(const Candidates& victims);

  Cycle& cycle_;
  Rank rank_;
  const Shape& shape_;
  Claimant claimant_;
  Candidates candidates_;                                           // in the order of victims
  std::map<std::tuple<Index, Index, unsigned>, Lending> lendings_;  // by queue, flavor and kinds
  Instant next_unspared_ = Running::kNever;
};

}  // namespace ym::engine
