#include "papers/elastic/few_moves.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace ym::sim::elastic {
namespace {

using JobNumber = std::size_t;

constexpr double kTooDear = 1e9;
// Only smaller jobs are moved, so it comes to an end, unless jobs go without a rest of what they want: two of these
// could move each other for ever.
constexpr int kMostPlacements = 1000;

class Mover {
 public:
  Mover(const std::vector<PlacementJob>& jobs, const PlacementOptions& options)
      : jobs_(jobs),
        options_(options),
        per_node_(options.cluster.gpus_per_node),
        free_(options.cluster.nodes, per_node_),
        size_(jobs.size()),
        waits_(jobs.size()) {
    for (const PlacementJob& job : jobs) counts_.push_back(job.held);
    for (JobNumber i = 0; i < jobs.size(); ++i) keep_or_wait(i);
  }

  std::vector<NodeCounts> run() {
    for (int i = 0; i < kMostPlacements; ++i) {
      const auto job = largest_waiting();
      if (!job) break;
      place(*job);
    }
    return std::move(counts_);
  }

 private:
  void keep_or_wait(JobNumber i) {
    const Count held = std::accumulate(counts_[i].begin(), counts_[i].end(), Count{0});
    const bool stays = held == jobs_[i].wanted;
    if (!stays) counts_[i].assign(options_.cluster.nodes, 0);
    size_[i] = stays ? held : 0;
    waits_[i] = !stays && jobs_[i].wanted > 0;
    for (Count node = 0; node < options_.cluster.nodes; ++node) free_[node] -= counts_[i][node];
  }

  std::optional<JobNumber> largest_waiting() const {
    std::optional<JobNumber> largest;
    for (JobNumber i = 0; i < jobs_.size(); ++i)
      if (waits_[i] && (!largest || jobs_[i].wanted > jobs_[*largest].wanted)) largest = i;
    return largest;
  }

  void place(JobNumber job) {
    waits_[job] = false;
    Count left = jobs_[job].wanted;
    while (left >= per_node_ && place_on_whole_node(job)) left -= per_node_;
    while (left > 0) {
      const Count placed = place_rest(job, left);
      if (placed == 0) break;
      left -= placed;
    }
    size_[job] = jobs_[job].wanted - left;
  }

  bool place_on_whole_node(JobNumber job) {
    std::optional<Count> cheapest;
    double least = kTooDear;
    for (Count node = 0; node < options_.cluster.nodes; ++node) {
      if (counts_[job][node] > 0) continue;
      const double cost = cost_of_whole_node(job, node);
      if (cost < least) cheapest = node, least = cost;
    }
    if (!cheapest) return false;
    empty(*cheapest, per_node_, per_node_);
    give(job, *cheapest, per_node_);
    return true;
  }

  double cost_of_whole_node(JobNumber job, Count node) const {
    if (free_[node] == per_node_) return jobs_[job].held[node] > 0 ? -1 : 0;
    double cost = 0;
    for (JobNumber i = 0; i < jobs_.size(); ++i)
      if (counts_[i][node] > 0) cost += size_[i] >= per_node_ ? kTooDear : cost_to_move(i);
    return cost;
  }

  // How many GPUs it placed.
  Count place_rest(JobNumber job, Count left) {
    const Count need = std::min(left, per_node_);
    const bool spreads = jobs_[job].wanted > per_node_ || left < jobs_[job].wanted;
    auto node = fullest_with_room(job, need, spreads);
    if (!node && need > 1) {
      node = cheapest_to_empty(job, need, spreads);
      if (node) empty(*node, need, need);
    }
    const bool may_spread = options_.sharing == NodeSharing::free || left == jobs_[job].wanted;
    if (!node && may_spread) node = most_free(job);
    if (!node) return 0;
    const Count placed = std::min(need, free_[*node]);
    give(job, *node, placed);
    return placed;
  }

  std::optional<Count> fullest_with_room(JobNumber job, Count need, bool spreads) const {
    std::optional<Count> fullest;
    for (Count node = 0; node < options_.cluster.nodes; ++node) {
      if (free_[node] < need || !may_use(job, node, spreads)) continue;
      if (!fullest || free_[node] < free_[*fullest]) fullest = node;
    }
    return fullest;
  }

  // Moving strictly smaller jobs only.
  std::optional<Count> cheapest_to_empty(JobNumber job, Count need, bool spreads) const {
    std::optional<Count> cheapest;
    double least = 0;
    for (Count node = 0; node < options_.cluster.nodes; ++node) {
      if (!may_use(job, node, spreads)) continue;
      Count room = free_[node];
      double cost = 0;
      for (JobNumber i = 0; i < jobs_.size(); ++i)
        if (counts_[i][node] > 0 && size_[i] < need) room += counts_[i][node], cost += cost_to_move(i);
      if (room >= need && (!cheapest || cost < least)) cheapest = node, least = cost;
    }
    return cheapest;
  }

  std::optional<Count> most_free(JobNumber job) const {
    std::optional<Count> most;
    for (Count node = 0; node < options_.cluster.nodes; ++node) {
      if (free_[node] == 0 || !may_use(job, node, true)) continue;
      if (!most || free_[node] > free_[*most]) most = node;
    }
    return most;
  }

  bool may_use(JobNumber job, Count node, bool spreads) const {
    if (counts_[job][node] > 0) return false;
    if (options_.sharing == NodeSharing::free || !spreads) return true;
    for (JobNumber i = 0; i < jobs_.size(); ++i)
      if (i != job && counts_[i][node] > 0 && is_spread(i)) return false;
    return true;
  }

  bool is_spread(JobNumber i) const {
    return std::ranges::count_if(counts_[i], [](Count gpus) { return gpus > 0; }) > 1;
  }
  double cost_to_move(JobNumber i) const { return 1 + jobs_[i].weight * size_[i]; }

  void give(JobNumber job, Count node, Count gpus) {
    counts_[job][node] += gpus;
    free_[node] -= gpus;
  }

  // Jobs of less than `below` GPUs leave, until so many are free.
  void empty(Count node, Count below, Count until_free) {
    for (JobNumber i = 0; i < jobs_.size() && free_[node] < until_free; ++i)
      if (counts_[i][node] > 0 && size_[i] < below) evict(i);
  }

  void evict(JobNumber i) {
    for (Count node = 0; node < options_.cluster.nodes; ++node) free_[node] += counts_[i][node];
    counts_[i].assign(options_.cluster.nodes, 0);
    size_[i] = 0;
    waits_[i] = true;
  }

  const std::vector<PlacementJob>& jobs_;
  const PlacementOptions& options_;
  Count per_node_;
  std::vector<NodeCounts> counts_;  // that are held now
  NodeCounts free_;
  std::vector<Count> size_;  // GPUs that are held now
  std::vector<bool> waits_;
};

}  // namespace

std::vector<NodeCounts> place_with_few_moves(const std::vector<PlacementJob>& jobs, const PlacementOptions& options) {
  return Mover(jobs, options).run();
}

NodeCounts node_counts(const Allocation& allocation, Count nodes) {
  NodeCounts counts(nodes, 0);
  for (const NodeShare& share : allocation) counts[share.node] += share.gpus;
  return counts;
}

Allocation allocation_of(const NodeCounts& counts) {
  Allocation allocation;
  for (Count node = 0; node < counts.size(); ++node)
    if (counts[node] > 0) allocation.push_back({.node = node, .gpus = counts[node]});
  return allocation;
}

}  // namespace ym::sim::elastic
