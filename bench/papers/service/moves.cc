#include "papers/service/moves.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ym::sim::service {
namespace {

class Placer {
 public:
  Placer(const ClusterShape& shape, std::vector<Placed> running) : nodes_(shape), running_(std::move(running)) {
    for (const Placed& one : running_) nodes_.take(one.placement);
    // So that those which leave a node leave it in this order.
    std::ranges::sort(running_, {}, [](const Placed& one) { return std::pair(one.gpus, one.job); });
  }

  MovePlan place(const std::vector<Placed>& waiting) {
    for (const Placed& one : waiting) waiting_.emplace(one.gpus, one.job);
    while (!waiting_.empty()) {
      const auto [gpus, job] = waiting_.extract(waiting_.begin()).value();
      auto placement = nodes_.find(gpus, Fit::best);
      if (!placement && clear_nodes_for(gpus)) placement = nodes_.find(gpus, Fit::best);
      if (!placement) continue;
      nodes_.take(*placement);
      plan_.starts.push_back({.job = job, .gpus = gpus, .placement = std::move(*placement)});
    }
    return std::move(plan_);
  }

 private:
  struct LargestFirst {
    bool operator()(const std::pair<Count, JobNumber>& one, const std::pair<Count, JobNumber>& other) const {
      return one.first != other.first ? one.first > other.first : one.second < other.second;
    }
  };

  // Jobs of whole nodes would only change places.
  bool may_leave(const Placed& one, Count gpus) const { return one.gpus < gpus && one.gpus < nodes_.per_node(); }

  Count movable_on(std::size_t node, Count gpus) const {
    Count movable = nodes_.free(node);
    for (const Placed& one : running_)
      if (may_leave(one, gpus)) movable += gpus_on(one.placement, node);
    return movable;
  }

  bool clear_nodes_for(Count gpus) {
    const auto wanted = static_cast<std::size_t>(std::max<Count>(1, gpus / nodes_.per_node()));
    const Count on_each = std::min(gpus, nodes_.per_node());
    std::vector<std::pair<Count, std::size_t>> possible;
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      if (movable_on(node, gpus) >= on_each) possible.emplace_back(-nodes_.free(node), node);
    if (possible.size() < wanted) return false;
    std::ranges::sort(possible);
    for (std::size_t i = 0; i < wanted; ++i) clear(possible[i].second, gpus, on_each);
    return true;
  }

  void clear(std::size_t node, Count gpus, Count until_free) {
    std::erase_if(running_, [&](const Placed& one) {
      if (nodes_.free(node) >= until_free || !may_leave(one, gpus) || gpus_on(one.placement, node) == 0) return false;
      nodes_.give_back(one.placement);
      plan_.stopped.push_back(one.job);
      waiting_.emplace(one.gpus, one.job);
      return true;
    });
  }

  Nodes nodes_;
  std::vector<Placed> running_;
  std::set<std::pair<Count, JobNumber>, LargestFirst> waiting_;
  MovePlan plan_;
};

}  // namespace

MovePlan place(const ClusterShape& shape, std::vector<Placed> running, const std::vector<Placed>& waiting) {
  return Placer(shape, std::move(running)).place(waiting);
}

}  // namespace ym::sim::service
