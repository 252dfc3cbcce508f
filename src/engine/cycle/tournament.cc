#include "engine/cycle/tournament.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/age.h"
#include "engine/quota/demand.h"

namespace ym::engine {

Tournament::Tournament(const Cycle& cycle)
    : cycle_(cycle),
      top_(cycle.in.state.queue_names.size()),
      entrants_(cycle.in.state.queue_names.size() + 1),
      keys_(entrants_.size()),
      wishes_(cycle.known.cases.size()),
      mores_(cycle.known.cases.size()) {
  const Instant most = most_lent(cycle_);
  for (const QueueIndex queue : indices<QueueIndex>(top_.value)) {
    const QueueIndex parent = cycle_.in.state.quota.parent(queue);
    entrants_[queue].parent = parent == kNone ? top_ : parent;
    entrants_[queue].jobs.form(cycle_, queue, most);
  }
  const std::vector<QueueIndex> found = children_first();
  one_root_ = std::ranges::count(found, top_, [&](QueueIndex queue) { return entrants_[queue].parent; }) == 1;
  for (const QueueIndex queue : found) {
    renew(queue);
    const QueueIndex parent = entrants_[queue].parent;
    if (parent == kNone) continue;
    auto& heap = entrants_[parent].children;
    heap.push_back(queue);
    std::ranges::push_heap(heap, [&](QueueIndex a, QueueIndex b) { return before(b, a); });
  }
}

// Those who have jobs, and all above them.
std::vector<QueueIndex> Tournament::children_first() const {
  const auto depth_of = [&](QueueIndex queue) {
    std::uint32_t depth = 0;
    for (; queue != top_; queue = entrants_[queue].parent) ++depth;
    return depth;
  };
  constexpr std::uint32_t kNotYet = ~std::uint32_t{0};
  IndexedVector<QueueIndex, std::uint32_t> depth(entrants_.size(), kNotYet);
  std::vector<QueueIndex> found;
  for (const QueueIndex leaf : indices<QueueIndex>(top_.value)) {
    if (entrants_[leaf].jobs.empty()) continue;
    for (QueueIndex queue = leaf; queue != kNone && depth[queue] == kNotYet; queue = entrants_[queue].parent) {
      depth[queue] = depth_of(queue);
      found.push_back(queue);
    }
  }
  std::ranges::sort(found, {}, [&](QueueIndex queue) { return std::pair(-std::int64_t{depth[queue]}, queue); });
  return found;
}

SeatIndex Tournament::next() {
  Entrant* const entrants = entrants_.raw().data();
  if (last_ != kNone) {
    Entrant& leaf = entrants[last_.value];
    leaf.jobs.next(cycle_);
    send_job(leaf, last_);
    // All that led up to it were the first of their heaps.
    for (QueueIndex queue = leaf.parent; queue != top_; queue = entrants[queue.value].parent) {
      settle_first(entrants[queue.value].children);
      send_best(entrants[queue.value], queue);
    }
    settle_first(entrants[top_.value].children);
  }
  const std::vector<QueueIndex>& roots = entrants[top_.value].children;
  last_ = roots.empty() ? QueueIndex{} : entrants[roots.front().value].leaf;
  return last_ == kNone ? SeatIndex{} : entrants[last_.value].jobs.head();
}

void Tournament::renew(QueueIndex queue) {
  Entrant& entrant = entrants_[queue];
  if (entrant.jobs.empty()) send_best(entrant, queue);
  else send_job(entrant, queue);
}

// Who has a place adds nothing: that counts already. Nor does an old job.
void Tournament::send_job(Entrant& leaf, QueueIndex queue) {
  const SeatIndex head = leaf.jobs.head();
  leaf.leaf = head == kNone ? QueueIndex{} : queue;
  if (head == kNone) return;
  const Seat& job = cycle_.line_up.seats[head];
  Key& key = keys_[queue];
  key.urgency = job.urgency;
  key.seniority = leaf.jobs.seniority(job, cycle_);
  const bool open = job.standing == Standing::open;
  Wish* const wish = open ? &wish_of(job.shape) : nullptr;
  const bool asks = wish && wish->adds == Wish::Adds::some, adds = asks && !is_old(cycle_.in, job);
  leaf.wish = adds ? job.shape : kNone;
  leaf.shared = !open || !is_neglected(cycle_.in, job);
  if (!adds) return compare_by(leaf, queue, {.old = asks ? job.shape : kNone});
  leaf.seen = kNeverSeen;
  key.shares = shares_of(*wish, job.shape, queue);
}

void Tournament::send_best(Entrant& cohort, QueueIndex queue) {
  cohort.leaf = cohort.children.empty() ? QueueIndex{} : entrants_[cohort.children.front()].leaf;
  if (cohort.leaf == kNone || queue == top_ || (one_root_ && cohort.parent == top_)) return;
  const QueueIndex child = cohort.children.front();
  Key& key = keys_[queue];
  key.urgency = keys_[child].urgency;
  key.seniority = keys_[child].seniority;
  if (cohort.parent == top_) {
    key.shares = {};
    return;
  }
  const More& below = more_of(entrants_[child]);
  cohort.shared = entrants_[child].shared;
  More above{.flavor = below.flavor, .amounts = {}, .lately = {}, .old = kNone};
  if (below.old != kNone && has_no_quota(child, below.old)) above.old = below.old;
  if (above.flavor != kNone) {
    above.amounts = passed_on(cycle_.in.state.quota, child, above.flavor, below.amounts);
    if (cycle_.tried.lately) above.lately = passed_on(cycle_.tried.lately->quota(), child, above.flavor, below.lately);
  }
  compare_by(cohort, queue, above);
}

// Who asks for the same while nothing was taken has the same share.
void Tournament::compare_by(Entrant& entrant, QueueIndex queue, const More& more) {
  const std::uint64_t taken = cycle_.tried.trial.changes();
  Key& key = keys_[queue];
  if (!entrant.shared) key.shares = {};
  else if (entrant.seen != taken || entrant.more != more) key.shares = shares_with(queue, more);
  entrant.seen = entrant.shared ? taken : kNeverSeen;
  entrant.more = more;
}

Tournament::Shares Tournament::shares_with(QueueIndex queue, const More& more) const {
  Shares shares{.share = share_with(cycle_.in.state.quota, queue, more.flavor, more.amounts)};
  const bool all_is_lent = more.old != kNone && has_no_quota(queue, more.old);
  if (all_is_lent && cycle_.in.state.quota.weight_milli(queue) == 0) shares.share.nano = Share::kLast;
  shares.borrows = all_is_lent || shares.share.borrows();
  if (!shares.borrows || cycle_.in.policy.fair_share == FairShare::instant) return shares;
  shares.lately = shares.share.nano == Share::kLast
                      ? shares.share
                      : share_with(cycle_.tried.lately->quota(), queue, more.flavor, more.lately);
  return shares;
}

bool Tournament::has_no_quota(QueueIndex queue, ShapeIndex shape) const {
  const More& asked = mores_[shape];
  return cycle_.in.state.quota.parent(queue) != kNone && std::ranges::any_of(kKindsByWeight, [&](ResourceKind kind) {
           return asked.amounts[kind] > 0 && cycle_.in.state.quota.subtree(queue, asked.flavor, kind) == 0;
         });
}

const Tournament::More& Tournament::more_of(const Entrant& entrant) {
  return entrant.wish == kNone ? entrant.more : mores_[entrant.wish];
}

// An anchor counts as if it were like the others: it is the smaller part. Groups count by the flavor of which they want
// most.
Tournament::More Tournament::more_of(const Shape& shape, const Flavors& flavors) {
  if (shape.groups.empty()) return {.flavor = flavors.last(), .amounts = shape.total(), .lately = {}};
  const auto weight = [&](FlavorIndex flavor) {
    const ResourceVector amounts = shape.in(flavors, flavor);
    return std::tuple(amounts[ResourceKind::gpus], amounts[ResourceKind::cpus], amounts[ResourceKind::memory]);
  };
  const FlavorIndex most = *std::ranges::max_element(flavors.each(), {}, weight);
  return {.flavor = most, .amounts = shape.in(flavors, most), .lately = {}};
}

void Tournament::look_at(ShapeIndex index, Wish& wish) {
  wish.adds = Wish::Adds::nothing;
  const auto& options = cycle_.known.cases[index].options;
  const auto first = std::ranges::find_if(options, &Option::within_max);
  if (first == options.end()) return;
  const Shape& shape = cycle_.in.state.shapes[index];
  More& more = mores_[index];
  more = more_of(shape, first->flavors);
  for (const ResourceKind kind : kKindsByWeight)
    if (!cycle_.in.state.quota.limited(shape.queue, more.flavor, kind)) more.amounts[kind] = 0;
  if (cycle_.tried.lately) more.lately = cycle_.tried.lately->entry(more.amounts);
  if (more.flavor != kNone) wish.adds = Wish::Adds::some;
}

// Its turn costs what is compared here: who sinks is put down once.
void Tournament::sink_first(std::vector<QueueIndex>& heap) const {
  if (entrants_[heap.front()].leaf == kNone) {
    heap.front() = heap.back();
    heap.pop_back();
    if (heap.empty()) return;
  }
  if (heap.size() == 1) return;
  const Key* const keys = keys_.raw().data();
  QueueIndex* const all = heap.data();
  const QueueIndex sinks = all[0];
  std::size_t at = 0;
  for (std::size_t child = 1; child < heap.size(); child = 2 * at + 1) {
    if (child + 1 < heap.size() && keys[all[child + 1].value] < keys[all[child].value]) ++child;
    if (!(keys[all[child].value] < keys[sinks.value])) break;
    all[at] = all[child];
    at = child;
  }
  all[at] = sinks;
}

}  // namespace ym::engine
