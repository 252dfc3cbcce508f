// Vacancies: which nodes of a pool may have a free device. In a full cluster these are few, and most searches are for
// them. Found when first asked for, brought up to date by who asks again, forgotten when the machines are others. A
// copy of the state begins with none. Small pools are not remembered: they are looked through as fast.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/inventory.h"
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

  // Places in the pool, ascending: no other node of it has a device that is free now; nothing: it is not remembered.
  // They stay until the next question. Preconditions: it is one of the inventory's; what was taken of nodes and given
  // back stands in the log.
  std::optional<std::span<const Index>> of(const Inventory& inventory, const TouchLog& touches, const Pool& pool);

  // Pools of fewer nodes are small. For tests, whose worlds are.
  void remember_from(std::size_t nodes) { least_nodes_ = nodes; }

 private:
  struct Known {
    std::optional<std::uint64_t> seen;  // up to there in the log
    NodeIndex first{0};                 // the lowest of the pool's nodes
    std::vector<Index> place_of;        // by node, from that one on; kNone: it is in another pool
    std::vector<Index> places;
    std::size_t most = 0;  // then too many of them are full, and they are found anew

    Index place(NodeIndex node) const {
      return node < first || node - first >= place_of.size() ? Index{kNone} : place_of[node - first];
    }
  };
  static void look_at_all(Known& known, const Inventory& inventory, const Pool& pool);
  static void add(Known& known, Index place);

  std::size_t least_nodes_ = 65;
  std::uint64_t as_of_ = 0;             // Inventory::changes
  std::map<const Pool*, Known> known_;  // for finding only: its order decides nothing
};

}  // namespace ym::engine
