// Quota: how much of a flavor and resource kind a queue may still use.
//
// The arithmetic is Kueue's (pkg/cache/scheduler/resource_node.go), node by node:
// - subtree: quota of the node and those below it: its own nominal quota, and of each child the part that the child
//   lends;
// - local: the part of it that is not lent to the parent (beyond the lending limit); Kueue also calls it guaranteed;
// - usage: what counts against `subtree`: at a queue the usage of its jobs, at a cohort the usage of its children
//   beyond their own local quota;
// - available: max(0, local - usage), plus as much of the parent's available as the borrowing limit allows; what the
//   node has at the parent already counts in that.
//
// A kind that the quota of a flavor leaves out is neither limited nor counted. A queue without quota of its own has
// nominal quota 0 in everything that its tree has quota of.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/quota/queue_fault.h"
#include "engine/state/names.h"
#include "model/queue.h"

namespace ym::engine {

// An amount, and the queue that sets this limit.
struct Bound {
  std::int64_t amount = 0;
  QueueIndex queue = kNone;
};

class QuotaTree {
 public:
  // Interns names of flavors that quotas mention. Usage starts at 0.
  void rebuild(const std::map<std::string, Queue>& rows, Names<QueueIndex>& queue_names,
               Names<FlavorIndex>& flavor_names);
  // The same tree with no usage.
  QuotaTree unused() const;
  // The same tree in the fine units of model/usage.h, with no usage.
  QuotaTree fine_and_unused() const;
  // Whether all these names were known at the last rebuild.
  bool covers(const Names<QueueIndex>& queue_names, const Names<FlavorIndex>& flavor_names) const;

  QueueFault fault(QueueIndex queue) const { return nodes_[queue].fault; }
  QueueIndex root(QueueIndex queue) const { return nodes_[queue].root; }
  QueueIndex parent(QueueIndex queue) const { return nodes_[queue].parent; }  // kNone: it is a root
  // Whether `cohort` is the queue, or one above it.
  bool is_above(QueueIndex cohort, QueueIndex queue) const {
    while (queue != kNone && queue != cohort) queue = parent(queue);
    return queue != kNone;
  }
  bool has_children(QueueIndex queue) const { return nodes_[queue].has_children; }
  // The flavors that the queue may use; nothing: all that exist.
  const std::optional<std::vector<FlavorIndex>>& flavors(QueueIndex queue) const;
  // Whether the queue sets an order of its own in which flavors are tried.
  bool orders_flavors(QueueIndex queue) const { return nodes_[queue].orders_flavors; }
  // Whether any queue has quota.
  bool limits_any() const { return limits_any_; }
  std::int64_t weight_milli(QueueIndex queue) const { return nodes_[queue].weight_milli; }
  std::optional<Duration> age_cap(QueueIndex queue) const { return nodes_[queue].age_cap; }

  // Whether the queue's usage of this is counted at all.
  bool limited(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const;
  // For limited kinds. Below zero after quota was taken away.
  Bound available(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const;
  // The highest queue with a limit in the way of this additional amount; kNone: it is available. Queues above that
  // one have enough left.
  QueueIndex highest_short(QueueIndex queue, FlavorIndex flavor, ResourceKind kind, std::int64_t needed) const;
  // Whether this additional amount would be unavailable even if the queue used nothing and all others returned what
  // they borrow: usage within their own quota is not lent.
  bool is_short_by_right(QueueIndex queue, FlavorIndex flavor, ResourceKind kind, std::int64_t needed) const;
  // Whether this additional amount stays unavailable until the tree as a whole uses less, whichever of its queues that
  // is. False if not known: where a queue lends less than all of its quota.
  bool is_short_in_all(QueueIndex queue, FlavorIndex flavor, ResourceKind kind, std::int64_t needed) const {
    const QueueIndex root = nodes_[queue].root;
    const Cell& top = cell(root, flavor, kind);
    return !nodes_[root].some_keep_own && needed > top.subtree - top.usage;
  }
  // What would be available without any usage.
  Bound potential(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const;

  // Usage by the queue's own jobs changed.
  void add(QueueIndex queue, FlavorIndex flavor, const ResourceVector& amounts);
  void remove(QueueIndex queue, FlavorIndex flavor, const ResourceVector& amounts);

  // How much the queue may borrow; nothing: all that its cohort has.
  std::optional<std::int64_t> borrowing_limit(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
    return cell(queue, flavor, kind).borrowing_limit;
  }
  // All of the kind that the queue and those below it could use, over all flavors, if no other queue used any: what it
  // has to lend to its children.
  std::int64_t lendable(QueueIndex queue, ResourceKind kind) const { return nodes_[queue].lendable[kind]; }
  std::int64_t subtree(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
    return cell(queue, flavor, kind).subtree;
  }
  std::int64_t usage(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
    return cell(queue, flavor, kind).usage;
  }
  // The part of this additional usage that also counts at the queue's parent.
  std::int64_t passed_on(QueueIndex queue, FlavorIndex flavor, ResourceKind kind, std::int64_t more) const {
    const Cell& own = cell(queue, flavor, kind);
    return std::max<std::int64_t>(0, more - own.unused_local());
  }
  // The part of this reduction of usage that also counts at the queue's parent.
  std::int64_t given_back(QueueIndex queue, FlavorIndex flavor, ResourceKind kind, std::int64_t less) const {
    const Cell& own = cell(queue, flavor, kind);
    return std::min(less, std::max<std::int64_t>(0, own.usage - own.local));
  }
  std::size_t flavor_count() const { return flavor_count_; }
  // Usage of the queue's own jobs, whether it counts or not.
  std::int64_t direct(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
    return cell(queue, flavor, kind).direct;
  }

  bool operator==(const QuotaTree&) const = default;

 private:
  struct Cell {
    std::optional<std::int64_t> borrowing_limit, lending_limit;
    bool counted = false;
    std::int64_t subtree = 0;
    std::int64_t local = 0;
    std::int64_t usage = 0;
    std::int64_t direct = 0;
    std::int64_t lent_below = 0;  // part of the usage that its children have borrowed
    std::int64_t borrowed() const { return std::max<std::int64_t>(0, usage - subtree); }
    std::int64_t unused_local() const { return std::max<std::int64_t>(0, local - usage); }
    bool operator==(const Cell&) const = default;
  };
  struct Node {
    QueueFault fault = QueueFault::unknown;
    QueueIndex parent = kNone, root = kNone;
    bool has_children = false;
    bool orders_flavors = false;
    bool some_keep_own = false;  // of a root: some queues below it lend less than all of their quota
    std::optional<std::vector<FlavorIndex>> flavors;
    std::optional<Duration> age_cap;
    std::int64_t weight_milli = 1000;
    ResourceVector lendable;
    bool operator==(const Node&) const = default;
  };

  using Rows = std::map<std::string, Queue>;
  // The kinds that quotas name, by flavor; nothing if none names the flavor.
  using Named = IndexedVector<FlavorIndex, std::optional<std::array<bool, kResourceKinds>>>;

  std::size_t at(QueueIndex queue, FlavorIndex flavor, std::size_t kind) const {
    return (std::size_t{queue.value} * flavor_count_ + flavor.value) * kResourceKinds + kind;
  }
  const Cell& cell(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
    return cells_[at(queue, flavor, static_cast<std::size_t>(kind))];
  }
  void link(const Rows& rows, const Names<QueueIndex>& queue_names);
  void reach(const Rows& rows, const Names<QueueIndex>& queue_names);
  void find_faults();
  std::map<QueueIndex, Named> own_quota(const Rows& rows, const Names<QueueIndex>& queue_names,
                                        const Names<FlavorIndex>& flavor_names);
  void count(QueueIndex queue, const Named& named, const Names<FlavorIndex>& flavor_names);
  void lend(QueueIndex queue);
  ResourceVector all_potential(QueueIndex queue) const;
  static std::int64_t from_above(const Cell& own, std::int64_t usage);
  void set_usage(QueueIndex queue, FlavorIndex flavor, std::size_t kind, std::int64_t usage);
  void charge(QueueIndex queue, FlavorIndex flavor, std::size_t kind, std::int64_t amount);
  void refund(QueueIndex queue, FlavorIndex flavor, std::size_t kind, std::int64_t amount);

  std::size_t flavor_count_ = 0;
  bool limits_any_ = false;
  IndexedVector<QueueIndex, Node> nodes_;
  std::vector<QueueIndex> parents_last_;  // queues without faults above them, children before parents
  std::vector<Cell> cells_;
};

}  // namespace ym::engine
