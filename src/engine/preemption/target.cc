#include "engine/preemption/target.h"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <span>
#include <tuple>

#include "engine/cycle/cycle.h"
#include "engine/cycle/reserve.h"
#include "engine/preemption/roster.h"
#include "engine/quota/fair_share.h"

namespace ym::engine {
namespace {

// A job that could be chosen.
struct Entry {
  Index slot = kNone;
  Index shape = kNone;
  bool waits = false;
  std::int32_t priority = 0;
  Instant submitted_at;
  JobId id;
  const Footprint* place = nullptr;  // null: it waits
  Loss loss;                         // of one that runs
  Instant since;                     // it waits, or runs

  // Among those that are as urgent; less goes first. Of those that run it is the price of a stop, from behind.
  auto order() const { return std::tuple(waits, -loss.gpu_ms, -loss.cpu_ms, since, waits ? id.value : ~id.value); }
};

// By the rule of the queue; less goes first.
auto place_in_line(PreemptRule rule, const Entry& one) {
  const bool newer_may_be_stopped = rule == PreemptRule::any;
  return std::tuple(rule == PreemptRule::never && one.waits, -one.priority,
                    newer_may_be_stopped ? one.submitted_at : Instant{}, newer_may_be_stopped ? one.id : JobId{},
                    one.order());
}

// What a job takes of a flavor.
struct Part {
  Index flavor = kNone;
  ResourceVector amounts;
};

// Of each of its flavors. Nothing is allocated for it.
class Demand {
 public:
  Demand() = default;
  explicit Demand(const Footprint& place) {
    for (const Index flavor : place.flavors.each()) add({.flavor = flavor, .amounts = place.in(flavor)});
  }
  Demand(const Shape& shape, const Flavors& flavors) {
    for (const Index flavor : flavors.each()) add({.flavor = flavor, .amounts = shape.in(flavors, flavor)});
  }
  const Part* begin() const { return parts_.data(); }
  const Part* end() const { return parts_.data() + size_; }

 private:
  void add(const Part& part) { parts_[size_++] = part; }

  std::array<Part, kMostGroups> parts_{};
  std::size_t size_ = 0;
};

// What the jobs chosen so far have, and what is left.
class Books {
 public:
  explicit Books(const State::Impl& state) : quota_(state.quota.unused()), left_(state.inventory.flavor_names.size()) {
    const Inventory& inventory = state.inventory;
    for (Index node = 0; node < inventory.rows.size(); ++node)
      if (inventory.rows[node] && inventory.in_service(node) && inventory.flavor_of[node] != kNone)
        left_[inventory.flavor_of[node]] += inventory.size_of(node);
  }

  const QuotaTree& quota() const { return quota_; }
  // What stands on a node that is out of service takes nothing of the others.
  void add_machines(const Demand& demand) {
    for (const Part& part : demand) left_[part.flavor] += part.amounts;
  }
  bool cover(Index queue, const Demand& demand) const {
    return std::ranges::all_of(demand, [&](const Part& part) { return covers(queue, part); });
  }
  void charge(Index queue, const Demand& demand) {
    for (const Part& part : demand) {
      quota_.add(queue, part.flavor, part.amounts);
      left_[part.flavor] -= part.amounts;
    }
  }

 private:
  bool covers(Index queue, const Part& part) const {
    return std::ranges::all_of(kKindsByWeight, [&](ResourceKind kind) {
      const std::int64_t amount = part.amounts[kind];
      if (amount == 0) return true;
      if (left_[part.flavor][kind] < amount) return false;
      return !quota_.limited(queue, part.flavor, kind) || quota_.available(queue, part.flavor, kind).amount >= amount;
    });
  }

  QuotaTree quota_;
  std::vector<ResourceVector> left_;  // by flavor
};

class Choosing {
 public:
  Choosing(Cycle& cycle, std::vector<Index>& places)
      : cycle_(cycle),
        places_(places),
        top_(static_cast<Index>(cycle.state.queue_names.size())),
        books_(cycle.state),
        nodes_(std::size_t{top_} + 1),
        hopeless_(cycle.cases.size()) {
    settle_fixed();
    add_running();
    add_waiting();
    grow_tree();
  }

  void run() {
    for (Index queue = nodes_[top_].best; queue != kNone; queue = nodes_[top_].best) {
      Node& leaf = nodes_[queue];
      const Entry& entry = leaf.line[leaf.head];
      // It was the first, and the others have taken what it needs meanwhile.
      if (!books_.cover(queue, leaf.demand)) {
        look_for_head(queue);
      } else {
        books_.charge(queue, leaf.demand);
        places_[entry.slot] = next_++;
        leaf.head += 1;
        look_for_head(queue);
      }
      renew_above(queue);
    }
  }

 private:
  // Least first.
  struct Key {
    Share share;
    std::int32_t urgency = 0;
    decltype(Entry{}.order()) order{};
    auto operator<=>(const Key&) const = default;
  };
  // A queue or cohort.
  struct Node {
    Index parent = kNone;
    std::vector<Index> children;
    std::vector<Entry> line;  // of a queue
    std::size_t head = 0;     // whose turn it is
    Demand demand;            // the head's
    Index best = kNone;       // the queue whose head is the best below; kNone: none is left
    ResourceVector more;      // what the best adds here, of its flavor
    Index flavor = kNone;
    Key key;
  };

  bool is_sound(Index queue) const { return cycle_.state.quota.fault(queue) == QueueFault::none; }

  void settle_fixed() {
    const State::Impl& state = cycle_.state;
    for (const auto& [job, live] : state.live) {
      if (stands_aside(live)) books_.add_machines(Demand(live));
      const bool leaves = live.leaving || (live.stopping && !live.unreachable);
      if (!leaves && is_sound(live.queue) && !can_be_stopped(*state.jobs.find(job), live))
        books_.charge(live.queue, Demand(live));
    }
    for (const auto& [job, held] : state.holds)
      if (is_sound(held.queue) && is_kept(state.jobs.slot(job), held)) books_.charge(held.queue, Demand(held));
  }

  // Else this cycle has given it back, or to its job.
  bool is_kept(Index slot, const HeldPlace& held) const {
    const Index seat = cycle_.seat_of[slot];
    return seat == kNone ? held.expires_at > cycle_.now : cycle_.seats[seat].standing == Standing::kept;
  }

  bool stands_aside(const LiveAttempt& live) const {
    return std::ranges::any_of(live.tasks,
                               [&](const LiveTask& task) { return !cycle_.state.inventory.in_service(task.node); });
  }

  void add_running() {
    const State::Impl& state = cycle_.state;
    const Losses losses(state, cycle_.policy.restart_cost, cycle_.now);
    for (const auto& [job, live] : state.live) {
      const JobRow& row = *state.jobs.find(job);
      if (!is_sound(live.queue) || !can_be_stopped(row, live)) continue;
      nodes_[live.queue].line.push_back({.slot = state.jobs.slot(job),
                                         .shape = row.shape,
                                         .waits = false,
                                         .priority = row.priority,
                                         .submitted_at = row.submitted_at,
                                         .id = job,
                                         .place = &live,
                                         .loss = losses.of(job, live),
                                         .since = live.admitted_at});
    }
  }

  void add_waiting() {
    for (Index queue = 0; queue < top_; ++queue) {
      for (Index at = cycle_.lines[queue]; at < cycle_.line_ends[queue]; ++at) {
        const Seat& seat = cycle_.seats[at];
        const bool admitted = seat.standing == Standing::admitted;
        if (!admitted && (seat.standing != Standing::open || is_barred(cycle_, cycle_.rank_at[at]))) continue;
        nodes_[queue].line.push_back({.slot = seat.slot,
                                      .shape = seat.shape,
                                      .waits = true,
                                      .priority = seat.priority,
                                      .submitted_at = seat.submitted_at,
                                      .id = seat.id,
                                      .place = nullptr,
                                      .loss = {},
                                      .since = seat.submitted_at});
      }
      const PreemptRule rule = rule_of(cycle_, queue);
      std::ranges::sort(nodes_[queue].line, {}, [&](const Entry& one) { return place_in_line(rule, one); });
    }
  }

  void grow_tree() {
    for (Index queue = 0; queue < top_; ++queue) {
      if (!is_sound(queue) && cycle_.state.quota.fault(queue) != QueueFault::is_cohort) continue;
      const Index parent = cycle_.state.quota.parent(queue);
      nodes_[queue].parent = parent == kNone ? top_ : parent;
      nodes_[nodes_[queue].parent].children.push_back(queue);
    }
    for (Index queue = 0; queue < top_; ++queue) {
      if (nodes_[queue].line.empty()) continue;
      look_for_head(queue);
      renew_above(queue);
    }
  }

  // The first of the line for which there is room, from its head on.
  void look_for_head(Index queue) {
    Node& leaf = nodes_[queue];
    for (; leaf.head < leaf.line.size(); ++leaf.head) {
      const Entry& entry = leaf.line[leaf.head];
      if (entry.waits ? find_option(queue, entry.shape) : fits_where_it_is(queue, entry)) {
        leaf.best = queue;
        compare_by(queue, entry);
        return;
      }
    }
    leaf.best = kNone;
  }

  bool fits_where_it_is(Index queue, const Entry& entry) {
    nodes_[queue].demand = Demand(*entry.place);
    return books_.cover(queue, nodes_[queue].demand);
  }

  // What one job of a shape does not find, none of it will: there is never more.
  bool find_option(Index queue, Index index) {
    if (hopeless_[index]) return false;
    const Shape& shape = cycle_.state.shapes[index];
    for (const Option& option : cycle_.cases[index].options) {
      if (!only_waits(cycle_, shape, option)) continue;
      nodes_[queue].demand = Demand(shape, option.flavors);
      if (books_.cover(queue, nodes_[queue].demand)) return true;
    }
    hopeless_[index] = true;
    return false;
  }

  void compare_by(Index queue, const Entry& entry) {
    Node& leaf = nodes_[queue];
    const Part& most = *std::ranges::max_element(leaf.demand, {}, [](const Part& part) {
      return std::tuple(part.amounts[ResourceKind::gpus], part.amounts[ResourceKind::cpus],
                        part.amounts[ResourceKind::memory]);
    });
    leaf.flavor = most.flavor;
    leaf.more = most.amounts;
    for (const ResourceKind kind : kKindsByWeight)
      if (!books_.quota().limited(queue, leaf.flavor, kind)) leaf.more[kind] = 0;
    leaf.key = {.share = share_with(books_.quota(), queue, leaf.flavor, leaf.more),
                .urgency = -entry.priority,
                .order = entry.order()};
  }

  void renew_above(Index queue) {
    for (Index above = nodes_[queue].parent; above != kNone; above = nodes_[above].parent) renew(above);
  }

  void renew(Index cohort) {
    Node& node = nodes_[cohort];
    node.best = kNone;
    Index first = kNone;
    for (const Index child : node.children)
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

  Cycle& cycle_;
  std::vector<Index>& places_;
  Index top_;  // stands above the roots
  Books books_;
  std::vector<Node> nodes_;     // by queue; the last is the top
  std::vector<bool> hopeless_;  // by shape
  Index next_ = 0;
};

}  // namespace

Target::Target(Cycle& cycle) : places_(cycle.state.jobs.slots(), kNone) { Choosing(cycle, places_).run(); }

const Target& target_of(Cycle& cycle) {
  if (!cycle.target) cycle.target.emplace(cycle);
  return *cycle.target;
}

}  // namespace ym::engine
