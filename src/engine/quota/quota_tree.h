// Quota: how much of a flavor and resource kind a queue may still use.
//
// The arithmetic is Kueue's (pkg/cache/scheduler/resource_node.go), node by node:
//
//   subtree   what the node and those below it bring: its own nominal quota, and of each
//             child what that child lends
//   local     the part of it that is not lent to the parent (beyond the lending limit);
//             Kueue also calls it guaranteed
//   usage     what counts against `subtree`: at a queue what its jobs use, at a cohort what
//             its children use beyond their own local quota
//   available max(0, local - usage), and of the parent's available as much as the
//             borrowing limit allows, what lies there already counted in
//
// A kind that the quota of a flavor leaves out is not limited and not counted at all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/state/names.h"
#include "model/queue.h"

namespace ym::engine {

// An amount, and the queue whose limit it is.
struct Bound {
  std::int64_t amount = 0;
  Index queue = kNone;
};

// Why jobs in a queue cannot be judged.
enum class QueueFault : std::uint8_t { none, unknown, is_cohort, no_parent, loop };

class QuotaTree {
 public:
  // Names of flavors that quotas mention are interned. Usage starts at nothing.
  void rebuild(const std::map<std::string, Queue>& rows, Names& queue_names, Names& flavor_names);
  // Whether all these names were there at the last rebuild.
  bool covers(const Names& queue_names, const Names& flavor_names) const;

  QueueFault fault(Index queue) const { return nodes_[queue].fault; }
  Index root(Index queue) const { return nodes_[queue].root; }
  bool has_children(Index queue) const { return nodes_[queue].has_children; }
  // The flavors that the queue may use, by name; nothing: all that exist.
  const std::optional<std::vector<Index>>& flavors(Index queue) const;
  std::optional<std::int64_t> age_cap_ms(Index queue) const { return nodes_[queue].age_cap_ms; }

  // Whether what the queue uses of this is counted at all.
  bool limited(Index queue, Index flavor, ResourceKind kind) const;
  // For limited kinds. Below zero after quota was taken away.
  Bound available(Index queue, Index flavor, ResourceKind kind) const;
  // What would be available if the queue had no borrowing limit of its own: what its cohort
  // can give, and what the queue has kept. At a root, all that is available.
  std::int64_t available_unbound(Index queue, Index flavor, ResourceKind kind) const;
  // What would be available if nobody used anything.
  Bound potential(Index queue, Index flavor, ResourceKind kind) const;

  // What a queue uses changed, by jobs of its own.
  void add(Index queue, Index flavor, const ResourceVector& amounts);
  void remove(Index queue, Index flavor, const ResourceVector& amounts);

  std::int64_t subtree(Index queue, Index flavor, ResourceKind kind) const { return cell(queue, flavor, kind).subtree; }
  std::int64_t usage(Index queue, Index flavor, ResourceKind kind) const { return cell(queue, flavor, kind).usage; }
  // All that the queue's own jobs use, counted or not.
  std::int64_t direct(Index queue, Index flavor, ResourceKind kind) const { return cell(queue, flavor, kind).direct; }

  bool operator==(const QuotaTree&) const = default;

 private:
  struct Cell {
    std::optional<std::int64_t> borrowing_limit, lending_limit;
    bool counted = false;
    std::int64_t subtree = 0;
    std::int64_t local = 0;
    std::int64_t usage = 0;
    std::int64_t direct = 0;
    bool operator==(const Cell&) const = default;
  };
  struct Node {
    QueueFault fault = QueueFault::unknown;
    Index parent = kNone, root = kNone;
    Index quota_from = kNone;  // itself or the next above it that has quota
    bool has_children = false;
    std::optional<std::vector<Index>> flavors;
    std::optional<std::int64_t> age_cap_ms;
    bool operator==(const Node&) const = default;
  };

  std::size_t at(Index queue, Index flavor, std::size_t kind) const {
    return (std::size_t{queue} * flavor_count_ + flavor) * kResourceKinds + kind;
  }
  const Cell& cell(Index queue, Index flavor, ResourceKind kind) const {
    return cells_[at(queue, flavor, static_cast<std::size_t>(kind))];
  }
  void link(const std::map<std::string, Queue>& rows, const Names& queue_names);
  void find_faults(const std::map<std::string, Queue>& rows, const Names& queue_names);
  void own_quota(const std::map<std::string, Queue>& rows, const Names& queue_names, const Names& flavor_names);
  void inherit(Index queue, const std::map<std::string, Queue>& rows, const Names& queue_names,
               const Names& flavor_names);
  void lend(Index queue);
  void charge(Index queue, Index flavor, std::size_t kind, std::int64_t amount);
  void refund(Index queue, Index flavor, std::size_t kind, std::int64_t amount);

  std::size_t flavor_count_ = 0;
  std::vector<Node> nodes_;          // by queue
  std::vector<Index> parents_last_;  // queues without faults above them, children before parents
  std::vector<Cell> cells_;
};

}  // namespace ym::engine
