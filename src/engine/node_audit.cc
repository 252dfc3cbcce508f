#include "engine/node_audit.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace ym::engine {
namespace {

// A device that has lost memory is no error of the books.
bool clash(const Taken& taken, NodeIndex node, const NodeNeed& need, std::uint64_t bits) {
  if ((taken.devices[node] & bits) != 0) return true;
  for (std::uint64_t left = bits; left != 0; left &= left - 1) {
    Part part = taken.part(node, first_device(left));
    if (!need.shares() && !part.is_none()) return true;
    part += need.part;
    if (part.milli > kMilli) return true;
  }
  return false;
}

}  // namespace

NodeAudit::NodeAudit(const Inventory& inventory) : inventory_(inventory) {
  for (auto* taken : {&used_, &leaving_, &held_}) taken->grow(inventory.rows.size());
}

bool NodeAudit::use(NodeIndex node, const NodeNeed& need, std::uint64_t bits) {
  const bool clashes = clash(used_, node, need, bits);
  used_.add(node, need, bits);
  return !clashes;
}

bool NodeAudit::keep(NodeIndex node, const NodeNeed& need, std::uint64_t bits) {
  const bool clashes = clash(held_, node, need, bits);
  held_.add(node, need, bits);
  return !clashes;
}

bool NodeAudit::are_overdrawn(NodeIndex node, std::uint64_t bits) const {
  const std::uint64_t staying = used_.devices[node] & ~leaving_.devices[node];
  if ((staying & held_.devices[node] & bits) != 0) return true;
  for (std::uint64_t left = bits; left != 0; left &= left - 1) {
    const DeviceIndex device = first_device(left);
    Part parts = used_.part(node, device);
    parts -= leaving_.part(node, device);
    parts += held_.part(node, device);
    const bool is_whole = ((staying | held_.devices[node]) & left & (~left + 1)) != 0;
    if (is_whole ? !parts.is_none() : !inventory_.all_of(node, device).covers(parts)) return true;
  }
  return false;
}

bool NodeAudit::is_overdrawn(NodeIndex node, ResourceKind kind, When when) const {
  YM_ASSERT(kind != ResourceKind::gpus);
  const auto of = kind == ResourceKind::cpus ? &Taken::cpus : &Taken::memory;
  const std::int64_t size = (kind == ResourceKind::cpus ? inventory_.cpus : inventory_.memory)[node];
  const std::int64_t later = (used_.*of)[node] - (leaving_.*of)[node] + (held_.*of)[node];
  return later > size || (when == When::now && (used_.*of)[node] > size);
}

std::optional<std::string> NodeAudit::difference() const {
  for (const NodeIndex node : indices<NodeIndex>(inventory_.rows.size())) {
    const auto& name = inventory_.node_names[node];
    if (!used_.equals(inventory_.used, node))
      return fmt::format("what is in use of node {} is not what is held of it", name);
    if (!leaving_.equals(inventory_.leaving, node))
      return fmt::format("what leaves node {} is not what leaving jobs hold", name);
    if (!held_.equals(inventory_.held, node))
      return fmt::format("what is kept of node {} is not what is kept for jobs", name);
    if (!inventory_.free_is_current(node)) return fmt::format("what is free of node {} is not what no job has", name);
  }
  return std::nullopt;
}

}  // namespace ym::engine
