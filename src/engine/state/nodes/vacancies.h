// Vacancies: the nodes of a pool that may have a free device. In a full cluster these are few, and most searches look
// for them. Computed at the first question, brought up to date at later ones, dropped when the machines change. A copy
// of the state begins with none. Small pools are not cached: a scan is as fast.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/nodes/inventory.h"
#include "engine/state/touch_log.h"

namespace ym::engine {

class Vacancies {
 public:
  Vacancies() = default;
  Vacancies(const Vacancies&) {}
  Vacancies& operator=(const Vacancies&) { return *this = Vacancies(); }
  Vacancies(Vacancies&&) = default;
  Vacancies& operator=(Vacancies&&) = default;
  ~Vacancies() = default;

  // Ascending: no other node of the pool has a device that is free now. Nothing: the pool is not cached. Valid until
  // the next question. Preconditions: it is a pool of the inventory; the log has all that was taken of nodes and given
  // back.
  std::optional<std::span<const PlaceInPool>> of(const Inventory& inventory, const TouchLog& touches, const Pool& pool);

  // Pools of fewer nodes are small. For tests, which have small pools.
  void remember_from(std::size_t nodes) { least_nodes_ = nodes; }

 private:
  struct Known {
    std::optional<std::uint64_t> seen;  // read up to this point of the log
    NodeIndex first{0};                 // the lowest of the pool's nodes
    std::vector<PlaceInPool> place_of;  // by node, from `first` on; kNone: it is in another pool
    std::vector<PlaceInPool> places;
    std::size_t most = 0;  // with more entries than this too many are full, and the list is computed anew

    PlaceInPool place(NodeIndex node) const {
      return node < first || node - first >= place_of.size() ? PlaceInPool{} : place_of[node - first];
    }
  };
  static void look_at_all(Known& known, const Inventory& inventory, const Pool& pool);
  static void add(Known& known, PlaceInPool place);

  std::size_t least_nodes_ = 65;
  std::uint64_t as_of_ = 0;             // Inventory::changes
  std::map<const Pool*, Known> known_;  // for lookup only: its order decides nothing
};

}  // namespace ym::engine
