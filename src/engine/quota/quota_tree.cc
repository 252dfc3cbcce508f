#include "engine/quota/quota_tree.h"

#include <algorithm>

namespace ym::engine {

bool QuotaTree::covers(const Names<QueueIndex>& queue_names, const Names<FlavorIndex>& flavor_names) const {
  return nodes_.size() == queue_names.size() && flavor_count_ == flavor_names.size();
}

const std::optional<std::vector<FlavorIndex>>& QuotaTree::flavors(QueueIndex queue) const {
  return nodes_[queue].flavors;
}

void QuotaTree::rebuild(const std::map<std::string, Queue>& rows, Names<QueueIndex>& queue_names,
                        Names<FlavorIndex>& flavor_names) {
  limits_any_ = false;
  for (const auto& [name, row] : rows) {
    queue_names.intern(name);
    if (!row.quota) continue;
    limits_any_ = true;
    for (const auto& [flavor, quota] : *row.quota) flavor_names.intern(flavor);
  }
  flavor_count_ = flavor_names.size();
  nodes_.assign(queue_names.size(), {});
  cells_.assign(nodes_.size() * flavor_count_ * kResourceKinds, {});
  link(rows, queue_names);
  reach(rows, queue_names);
  find_faults();
  const auto named_in_tree = own_quota(rows, queue_names, flavor_names);
  for (const auto& [name, row] : rows) {
    const QueueIndex queue = queue_names.find(name);
    const auto tree = named_in_tree.find(nodes_[queue].root);
    if (!row.quota && nodes_[queue].root != kNone && tree != named_in_tree.end())
      count(queue, tree->second, flavor_names);
  }
  for (const QueueIndex queue : parents_last_) lend(queue);
  for (const QueueIndex queue : parents_last_)
    if (nodes_[queue].has_children) nodes_[queue].lendable = all_potential(queue);
}

ResourceVector QuotaTree::all_potential(QueueIndex queue) const {
  ResourceVector sum;
  for (const FlavorIndex flavor : indices<FlavorIndex>(flavor_count_))
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      sum.amounts[kind] += potential(queue, flavor, resource_kind(kind)).amount;
  return sum;
}

void QuotaTree::link(const Rows& rows, const Names<QueueIndex>& queue_names) {
  for (const auto& [name, row] : rows) {
    Node& node = nodes_[queue_names.find(name)];
    node.fault = QueueFault::none;
    node.age_cap = row.age_cap;
    node.weight_milli = row.weight_milli;
    if (row.parent.empty()) continue;
    if (!rows.contains(row.parent)) {
      node.fault = QueueFault::no_parent;
      continue;
    }
    node.parent = queue_names.find(row.parent);
    nodes_[node.parent].has_children = true;
  }
}

// Goes down from the roots. So it does not reach queues in a loop or below a missing parent: they have no part in the
// tree's arithmetic.
void QuotaTree::reach(const Rows& rows, const Names<QueueIndex>& queue_names) {
  IndexedVector<QueueIndex, std::vector<QueueIndex>> children(nodes_.size());
  std::vector<QueueIndex> reached;
  for (const auto& [name, row] : rows) {
    const QueueIndex queue = queue_names.find(name);
    Node& node = nodes_[queue];
    if (node.parent != kNone) children[node.parent].push_back(queue);
    else if (node.fault == QueueFault::none) {
      node.root = queue;
      reached.push_back(queue);
    }
  }
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const QueueIndex child : children[reached[i]]) {
      nodes_[child].root = nodes_[reached[i]].root;
      reached.push_back(child);
    }
  parents_last_.assign(reached.rbegin(), reached.rend());
}

void QuotaTree::find_faults() {
  // Goes up from each queue that was not reached: one that meets itself is in a loop.
  IndexedVector<QueueIndex, QueueIndex> seen_from(nodes_.size(), kNone);
  for (const QueueIndex start : indices<QueueIndex>(nodes_.size())) {
    QueueIndex at = start;
    for (; at != kNone && nodes_[at].root == kNone && seen_from[at] == kNone; at = nodes_[at].parent)
      seen_from[at] = start;
    if (at == kNone || nodes_[at].root != kNone || seen_from[at] != start) continue;
    for (; nodes_[at].fault == QueueFault::none; at = nodes_[at].parent) nodes_[at].fault = QueueFault::loop;
  }
  for (auto& node : nodes_) {
    if (node.fault == QueueFault::none && node.root == kNone) node.fault = QueueFault::below_fault;
    if (node.root == kNone) node.parent = kNone;
    if (node.fault == QueueFault::none && node.has_children) node.fault = QueueFault::is_cohort;
  }
}

// Also returns, by root, what the tree has quota of.
std::map<QueueIndex, QuotaTree::Named> QuotaTree::own_quota(const Rows& rows, const Names<QueueIndex>& queue_names,
                                                            const Names<FlavorIndex>& flavor_names) {
  std::map<QueueIndex, Named> named_in_tree;
  for (const auto& [name, row] : rows) {
    if (!row.quota) continue;
    const QueueIndex queue = queue_names.find(name);
    Named own(flavor_count_);
    Named& whole = named_in_tree.try_emplace(nodes_[queue].root, flavor_count_).first->second;
    nodes_[queue].flavors.emplace();
    nodes_[queue].orders_flavors = true;
    for (const auto& [flavor_name, kinds] : *row.quota) {
      const FlavorIndex flavor = flavor_names.find(flavor_name);
      nodes_[queue].flavors->push_back(flavor);
      own[flavor].emplace();
      if (!whole[flavor]) whole[flavor].emplace();
      for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        if (!kinds[kind]) continue;
        (*own[flavor])[kind] = (*whole[flavor])[kind] = true;
        Cell& cell = cells_[at(queue, flavor, kind)];
        cell.subtree = kinds[kind]->nominal;
        cell.borrowing_limit = kinds[kind]->borrowing_limit;
        cell.lending_limit = kinds[kind]->lending_limit;
      }
    }
    count(queue, own, flavor_names);
  }
  return named_in_tree;
}

// Sets which kinds count, and the flavors of a queue that does not list its own.
void QuotaTree::count(QueueIndex queue, const Named& named, const Names<FlavorIndex>& flavor_names) {
  Node& node = nodes_[queue];
  if (!node.flavors) node.flavors.emplace();
  for (const auto& [name, flavor] : flavor_names.by_name()) {
    if (named[flavor] && !node.orders_flavors) node.flavors->push_back(flavor);
    // Usage in a flavor that was taken away counts against the cohort.
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      cells_[at(queue, flavor, kind)].counted = !named[flavor] || (*named[flavor])[kind];
  }
}

void QuotaTree::lend(QueueIndex queue) {
  for (const FlavorIndex flavor : indices<FlavorIndex>(flavor_count_))
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
      Cell& own = cells_[at(queue, flavor, kind)];
      if (own.lending_limit) own.local = std::max<std::int64_t>(0, own.subtree - *own.lending_limit);
      if (nodes_[queue].parent == kNone) continue;
      cells_[at(nodes_[queue].parent, flavor, kind)].subtree += own.subtree - own.local;
      if (own.local > 0) nodes_[nodes_[queue].root].some_keep_own = true;
    }
}

bool QuotaTree::limited(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
  return cell(queue, flavor, kind).counted;
}

// The part of the parent's available amount that the borrowing limit allows. The queue has lent a part of it to the
// parent.
std::int64_t QuotaTree::from_above(const Cell& own, std::int64_t usage) {
  const std::int64_t lies_there = own.subtree - own.local;
  const std::int64_t used_there = std::max<std::int64_t>(0, usage - own.local);
  return lies_there - used_there + *own.borrowing_limit;
}

Bound QuotaTree::available(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
  const Cell& own = cell(queue, flavor, kind);
  const QueueIndex parent = nodes_[queue].parent;
  if (parent == kNone) return {own.subtree - own.usage, queue};
  Bound above = available(parent, flavor, kind);
  if (own.borrowing_limit) {
    const std::int64_t most = from_above(own, own.usage);
    if (most <= above.amount) above = {most, queue};
  }
  return {own.unused_local() + above.amount, above.queue};
}

// The sum of `available`, level by level.
QueueIndex QuotaTree::highest_short(QueueIndex queue, FlavorIndex flavor, ResourceKind kind,
                                    std::int64_t needed) const {
  QueueIndex highest = kNone;
  for (; nodes_[queue].parent != kNone; queue = nodes_[queue].parent) {
    const Cell& own = cell(queue, flavor, kind);
    needed -= own.unused_local();
    if (own.borrowing_limit && needed > from_above(own, own.usage)) highest = queue;
  }
  const Cell& top = cell(queue, flavor, kind);
  return needed > top.subtree - top.usage ? queue : highest;
}

Bound QuotaTree::potential(QueueIndex queue, FlavorIndex flavor, ResourceKind kind) const {
  const Cell& own = cell(queue, flavor, kind);
  const QueueIndex parent = nodes_[queue].parent;
  if (parent == kNone) return {own.subtree, queue};
  Bound most = potential(parent, flavor, kind);
  most.amount += own.local;
  if (own.borrowing_limit && own.subtree + *own.borrowing_limit <= most.amount)
    most = {own.subtree + *own.borrowing_limit, queue};
  return most;
}

void QuotaTree::add(QueueIndex queue, FlavorIndex flavor, const ResourceVector& amounts) {
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
    Cell& own = cells_[at(queue, flavor, kind)];
    own.direct += amounts.amounts[kind];
    if (own.counted) charge(queue, flavor, kind, amounts.amounts[kind]);
  }
}

void QuotaTree::remove(QueueIndex queue, FlavorIndex flavor, const ResourceVector& amounts) {
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
    Cell& own = cells_[at(queue, flavor, kind)];
    own.direct -= amounts.amounts[kind];
    if (own.counted) refund(queue, flavor, kind, amounts.amounts[kind]);
  }
}

void QuotaTree::set_usage(QueueIndex queue, FlavorIndex flavor, std::size_t kind, std::int64_t usage) {
  Cell& own = cells_[at(queue, flavor, kind)];
  const std::int64_t borrowed = own.borrowed();
  own.usage = usage;
  if (const QueueIndex parent = nodes_[queue].parent; parent != kNone)
    cells_[at(parent, flavor, kind)].lent_below += own.borrowed() - borrowed;
}

void QuotaTree::charge(QueueIndex queue, FlavorIndex flavor, std::size_t kind, std::int64_t amount) {
  for (; queue != kNone && amount > 0; queue = nodes_[queue].parent) {
    const Cell& own = cells_[at(queue, flavor, kind)];
    const std::int64_t kept = own.unused_local();
    set_usage(queue, flavor, kind, own.usage + amount);
    amount -= kept;
  }
}

void QuotaTree::refund(QueueIndex queue, FlavorIndex flavor, std::size_t kind, std::int64_t amount) {
  for (; queue != kNone && amount > 0; queue = nodes_[queue].parent) {
    const std::int64_t above = given_back(queue, flavor, static_cast<ResourceKind>(kind), amount);
    set_usage(queue, flavor, kind, cells_[at(queue, flavor, kind)].usage - amount);
    amount = above;
  }
}

}  // namespace ym::engine
