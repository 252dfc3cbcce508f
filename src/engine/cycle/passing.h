// Passing: who keeps nodes or quota from those behind it.
//
// A blocked job is passed by others, until it has waited for longer than its age cap.
// From then on, within a cycle, nobody behind it takes a node that it could use (if
// machines are what it lacks), and nobody behind it in its queue takes quota of that flavor
// (if quota is what it lacks), nor does anybody who would borrow from its cohort (if the
// cohort has not enough either). A job that can never run keeps nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/state/names.h"

namespace ym::engine {

// A job's place in the order of a cycle; kNone: nobody's.
using Rank = Index;

class Passing {
 public:
  Passing(std::size_t nodes, std::size_t queues, std::size_t flavors)
      : flavors_(flavors), nodes_(nodes, kNone), queues_(queues * flavors, kNone), roots_(queues * flavors, kNone) {}

  // Callers come in order of rank, so the first who keeps something is who comes first.
  void keep_node(Index node, Rank by) { keep(nodes_[node], by); }
  void keep_quota(Index queue, Index flavor, Rank by) { keep(queues_[queue * flavors_ + flavor], by); }
  // `root` stands for the whole cohort.
  void keep_borrowing(Index root, Index flavor, Rank by) { keep(roots_[root * flavors_ + flavor], by); }

  // By node: who keeps it.
  const std::vector<Rank>& node_keepers() const { return nodes_; }
  // Who keeps this quota from a job of the queue.
  Rank quota_keeper(Index queue, Index root, Index flavor, bool borrows) const {
    const Rank same_queue = queues_[queue * flavors_ + flavor];
    return borrows && root != kNone ? std::min(same_queue, roots_[root * flavors_ + flavor]) : same_queue;
  }

 private:
  static void keep(Rank& keeper, Rank by) { keeper = std::min(keeper, by); }

  std::size_t flavors_;
  std::vector<Rank> nodes_;
  std::vector<Rank> queues_, roots_;  // by queue and flavor
};

}  // namespace ym::engine
