// NodeAudit: counts anew what is taken of nodes, and whether it is more than the nodes have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/state/nodes/inventory.h"

namespace ym::engine {

class NodeAudit {
 public:
  // The inventory must outlive it.
  explicit NodeAudit(const Inventory& inventory);

  // False: another job already has too much of one of the devices.
  bool use(NodeIndex node, const NodeNeed& need, std::uint64_t bits);
  bool keep(NodeIndex node, const NodeNeed& need, std::uint64_t bits);
  void leave(NodeIndex node, const NodeNeed& need, std::uint64_t bits) { leaving_.add(node, need, bits); }

  // Call after all is counted. Whether a device will be missing that is taken.
  bool are_overdrawn(NodeIndex node, std::uint64_t bits) const;
  // The same for CPUs or memory. With When::now also what is used now.
  bool is_overdrawn(NodeIndex node, ResourceKind kind, When when) const;
  // How the inventory's books differ from the count; nothing: they are equal.
  std::optional<std::string> difference() const;

 private:
  const Inventory& inventory_;
  Taken used_, leaving_, held_;
};

}  // namespace ym::engine
