#include "engine/preemption/target.h"

#include <algorithm>
#include <compare>

#include "engine/preemption/target_lines.h"
#include "engine/quota/fair_share.h"

namespace ym::engine {
namespace {

class Choosing {
 public:
  Choosing(const Cycle& cycle, IndexedVector<Slot, TargetPlace>& places)
      : in_(cycle.in),
        known_(cycle.known),
        places_(places),
        top_(cycle.in.state.queue_names.size()),
        books_(cycle.in.state),
        lines_(lines_of(cycle)),
        nodes_(cycle.in.state.queue_names.size() + 1),
        negative_cache_(cycle.known.shape_caches.size()) {
    charge_fixed(cycle.in, cycle.pending, cycle.tried, books_);
    grow_tree();
  }

  void run() {
    for (QueueIndex queue = nodes_[top_].best; queue != kNone; queue = nodes_[top_].best) {
      Node& leaf = nodes_[queue];
      const Contender& first = lines_[queue][leaf.head];
      // Otherwise jobs chosen meanwhile have taken what it needs.
      if (books_.cover(queue, leaf.demand, first.counts)) {
        books_.charge(queue, leaf.demand, first.counts);
        places_[first.slot] = next_++;
        leaf.head += 1;
      }
      look_for_head(queue);
      renew_above(queue);
    }
  }

 private:
  // The least is next.
  struct Key {
    Share share;
    std::int32_t urgency = 0;
    decltype(Contender{}.order()) order{};
    auto operator<=>(const Key&) const = default;
  };
  // A queue or cohort.
  struct Node {
    QueueIndex parent = kNone;
    std::vector<QueueIndex> children;
    std::size_t head = 0;     // of its line: the next job
    bool blocked = false;     // it is strict, and a waiting job found no room: the jobs behind it wait
    Demand demand;            // of the head
    QueueIndex best = kNone;  // the queue below with the best head; kNone: none is left
    ResourceVector more;      // what that head adds here, of its flavor
    FlavorIndex flavor = kNone;
    Key key;
  };

  void grow_tree() {
    for (const QueueIndex queue : indices<QueueIndex>(top_.value)) {
      const QueueFault fault = in_.state.quota.fault(queue);
      if (fault != QueueFault::none && fault != QueueFault::is_cohort) continue;
      const QueueIndex parent = in_.state.quota.parent(queue);
      nodes_[queue].parent = parent == kNone ? top_ : parent;
      nodes_[nodes_[queue].parent].children.push_back(queue);
    }
    for (const QueueIndex queue : indices<QueueIndex>(top_.value)) {
      if (lines_[queue].empty()) continue;
      look_for_head(queue);
      renew_above(queue);
    }
  }

  // The first job of the line, from its head on, that has room.
  void look_for_head(QueueIndex queue) {
    Node& leaf = nodes_[queue];
    for (; leaf.head < lines_[queue].size(); ++leaf.head) {
      const Contender& one = lines_[queue][leaf.head];
      if (one.waits ? !leaf.blocked && find_option(queue, one.shape) : fits_where_it_is(queue, one)) {
        leaf.best = queue;
        compare_by(queue, one);
        return;
      }
      leaf.blocked = leaf.blocked || (one.waits && is_strict(queue) && could_run(one.shape));
    }
    leaf.best = kNone;
  }

  bool is_strict(QueueIndex queue) const { return in_.rules[queue] && in_.rules[queue]->strict; }
  bool could_run(ShapeIndex shape) {
    return std::ranges::any_of(known_.shape_caches[shape].options,
                               [&](const Option& option) { return only_waits(in_, in_.state.shapes[shape], option); });
  }

  bool fits_where_it_is(QueueIndex queue, const Contender& one) {
    nodes_[queue].demand = Demand(*one.place);
    return books_.cover(queue, nodes_[queue].demand, one.counts);
  }

  // If one job of a shape finds no room, none of the shape will: room never grows.
  bool find_option(QueueIndex queue, ShapeIndex index) {
    if (negative_cache_[index]) return false;
    const Shape& shape = in_.state.shapes[index];
    for (const Option& option : known_.shape_caches[index].options) {
      if (!only_waits(in_, shape, option)) continue;
      nodes_[queue].demand = Demand(shape, option.flavors);
      if (books_.cover(queue, nodes_[queue].demand, Counts::all)) return true;
    }
    negative_cache_[index] = true;
    return false;
  }

  void compare_by(QueueIndex queue, const Contender& one) {
    Node& leaf = nodes_[queue];
    leaf.flavor = leaf.demand.largest().flavor;
    leaf.more = leaf.demand.largest().amounts;
    for (const ResourceKind kind : kKindsByWeight)
      if (!books_.quota().limited(queue, leaf.flavor, kind)) leaf.more[kind] = 0;
    leaf.key = {.share = share_with(books_.quota(), queue, leaf.flavor, leaf.more),
                .urgency = -one.priority,
                .order = one.order()};
  }

  void renew_above(QueueIndex queue) {
    for (QueueIndex above = nodes_[queue].parent; above != kNone; above = nodes_[above].parent) renew(above);
  }

  void renew(QueueIndex cohort) {
    Node& node = nodes_[cohort];
    node.best = kNone;
    QueueIndex first = kNone;
    for (const QueueIndex child : node.children)
      if (nodes_[child].best != kNone && (first == kNone || nodes_[child].key < nodes_[first].key)) first = child;
    if (first == kNone) return;
    const Node& child = nodes_[first];
    node.best = child.best;
    if (cohort == top_) return;
    node.flavor = child.flavor;
    node.more = passed_on(books_.quota(), first, child.flavor, child.more);
    node.key = child.key;
    node.key.share = share_with(books_.quota(), cohort, node.flavor, node.more);
  }

  const Inputs& in_;
  const Findings& known_;
  IndexedVector<Slot, TargetPlace>& places_;
  QueueIndex top_;  // above the roots
  TargetBooks books_;
  ContenderLines lines_;                   // by queue
  IndexedVector<QueueIndex, Node> nodes_;  // the last is `top_`
  IndexedVector<ShapeIndex, bool> negative_cache_;
  TargetPlace next_{0U};
};

}  // namespace

Target::Target(const Cycle& cycle) : places_(cycle.in.state.jobs.slots(), kNone) { Choosing(cycle, places_).run(); }

const Target& target_of(Cycle& cycle) {
  if (!cycle.known.target) cycle.known.target.emplace(cycle);
  return *cycle.known.target;
}

}  // namespace ym::engine
