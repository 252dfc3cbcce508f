// NodeAudit: what is taken of nodes, counted again from nothing, and whether more is than there is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/state/inventory.h"

namespace ym::engine {

class NodeAudit {
 public:
  // The inventory outlives it.
  explicit NodeAudit(const Inventory& inventory);

  // False: of one of the devices somebody has too much already for that.
  bool use(NodeIndex node, const NodeNeed& need, std::uint64_t bits);
  bool keep(NodeIndex node, const NodeNeed& need, std::uint64_t bits);
  void leave(NodeIndex node, const NodeNeed& need, std::uint64_t bits) { leaving_.add(node, need, bits); }

  // Once all is counted: whether some is taken of the devices that will not be there.
  bool are_overdrawn(NodeIndex node, std::uint64_t bits) const;
  // Likewise of CPUs or memory, and of what is used now if that is asked about.
  bool is_overdrawn(NodeIndex node, ResourceKind kind, When when) const;
  // How the inventory's books differ from what was counted; nothing: they do not.
  std::optional<std::string> difference() const;

 private:
  const Inventory& inventory_;
  Taken used_, leaving_, held_;
};

}  // namespace ym::engine
