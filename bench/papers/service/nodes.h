// Which GPUs of which nodes are free.
//
// A job of at most a node's GPUs lies in one node, a larger one on whole nodes and, with what is left over, in one
// more.
#pragma once

#include <optional>
#include <vector>

#include "papers/service/job.h"

namespace ym::sim::service {

struct NodeShare {
  std::size_t node = 0;
  Count gpus = 0;
};

using Placement = std::vector<NodeShare>;  // empty: nowhere

// The node for what is less than a node; of equal ones the first. Whole nodes are the first that are free.
enum class Fit { first, best };

class Nodes {
 public:
  explicit Nodes(const ClusterShape& shape)
      : per_node_(shape.gpus_per_node),
        all_free_(shape.gpus()),
        free_(static_cast<std::size_t>(shape.nodes), shape.gpus_per_node) {}

  std::size_t size() const { return free_.size(); }
  Count per_node() const { return per_node_; }
  Count free(std::size_t node) const { return free_[node]; }

  // Where so many GPUs lie; nothing if there is no room.
  std::optional<Placement> find(Count gpus, Fit fit) const;
  // Precondition: they are free.
  void take(const Placement& placement);
  void give_back(const Placement& placement);

 private:
  Count per_node_, all_free_;
  std::vector<Count> free_;  // by node
};

// Of a placement, on one node.
Count gpus_on(const Placement& placement, std::size_t node);

}  // namespace ym::sim::service
