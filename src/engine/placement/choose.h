// Chooses the place of a gang within one flavor.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/placement/kept_nodes.h"
#include "engine/placement/score.h"
#include "engine/reserve/reservations.h"
#include "engine/state/nodes/inventory.h"
#include "engine/state/nodes/vacancies.h"
#include "model/job.h"

namespace ym::engine {

// Nodes of one cluster: task 0 gets the first.
struct Nodes {
  ClusterIndex cluster = kNone;
  std::vector<NodeIndex> nodes;
};

struct Choice {
  Nodes nodes;
  std::vector<std::uint64_t> devices;  // bits, by task
};

class Ratings;

// Which nodes a gang may have, apart from what is free of them. A view of the first two arguments.
class Access {
 public:
  // `keepers`: by node, the job that keeps it; kNone: none. `reservations`: holders whose time begins while a gang
  // with this walltime bound may still be there.
  Access(const Keepers& keepers, const Reservations& reservations, const Walltime& walltime)
      : keepers_(keepers), reservations_(reservations), any_promised_(reservations.any()), walltime_(walltime) {}
  // With caches of the machines.
  struct Remembered {
    Vacancies& vacancies;
    const TouchLog& touches;
    Ratings* ratings = nullptr;                       // null: some job keeps nodes
    const KeptNodes* kept = nullptr;                  // null: a kept node is closed to all other jobs
    const RunningAllocations* allocations = nullptr;  // null if `kept` is
  };
  Access(const Keepers& keepers, const Reservations& reservations, const Walltime& walltime,
         const Remembered& remembered)
      : Access(keepers, reservations, walltime) {
    vacancies_ = &remembered.vacancies;
    touches_ = &remembered.touches;
    ratings_ = any_promised_ ? nullptr : remembered.ratings;
    kept_ = remembered.kept;
    allocations_ = remembered.allocations;
  }

  // Precondition: the node has room for the task now.
  bool allows(NodeIndex node, const NodeNeed& need) const {
    return !any_promised_ || !reservations_.in_way(node, need, walltime_);
  }
  // Whether the node is kept from such a task.
  bool is_kept(const Inventory& inventory, NodeIndex node, const NodeNeed& need) const {
    return keepers_[node] != kNone && (!kept_ || kept_->keeper(inventory, *allocations_, node, need) != kNone);
  }
  // Null: no cache.
  Ratings* ratings() const { return ratings_; }
  // Vacancies::of; nothing without a cache, too.
  std::optional<std::span<const PlaceInPool>> vacancies(const Inventory& inventory, const Pool& pool) const {
    if (!vacancies_) return std::nullopt;
    return vacancies_->of(inventory, *touches_, pool);
  }

 private:
  const Keepers& keepers_;
  const Reservations& reservations_;
  bool any_promised_;
  Walltime walltime_;
  Ratings* ratings_ = nullptr;
  Vacancies* vacancies_ = nullptr;
  const TouchLog* touches_ = nullptr;
  const KeptNodes* kept_ = nullptr;
  const RunningAllocations* allocations_ = nullptr;
};

// The place that the gang gets; nothing: there is none. `had`: the previous nodes of its tasks, if it continues
// (task_order.h).
std::optional<Choice> choose(const Inventory& inventory, const Scorer& scorer, const Flavors& flavors,
                             const GangNeed& need, const Access& access, When when = When::now,
                             std::span<const NodeIndex> had = {});

// By names. Precondition: the nodes exist.
std::vector<TaskPlacement> placement_of(const Inventory& inventory, const std::vector<NodeIndex>& nodes,
                                        const std::vector<std::uint64_t>& devices);

}  // namespace ym::engine
