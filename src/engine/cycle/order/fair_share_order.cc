#include "engine/cycle/order/fair_share_order.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/order/age.h"
#include "engine/quota/demand.h"

namespace ym::engine {

FairShareOrder::FairShareOrder(const Cycle& cycle)
    : cycle_(cycle),
      top_(cycle.in.state.queue_names.size()),
      queue_heads_(cycle.in.state.queue_names.size() + 1),
      keys_(queue_heads_.size()),
      wishes_(cycle.known.shape_caches.size()),
      mores_(cycle.known.shape_caches.size()) {
  const Instant most = most_age_lent(cycle_.in, cycle_.pending);
  for (const QueueIndex queue : indices<QueueIndex>(top_.value)) {
    const QueueIndex parent = cycle_.in.state.quota.parent(queue);
    queue_heads_[queue].parent = parent == kNone ? top_ : parent;
    queue_heads_[queue].jobs.form(cycle_.in, cycle_.pending, cycle_.tried, queue, most);
  }
  const std::vector<QueueIndex> found = children_first();
  one_root_ = std::ranges::count(found, top_, [&](QueueIndex queue) { return queue_heads_[queue].parent; }) == 1;
  for (const QueueIndex queue : found) {
    renew(queue);
    const QueueIndex parent = queue_heads_[queue].parent;
    if (parent == kNone) continue;
    auto& heap = queue_heads_[parent].children;
    heap.push_back(queue);
    std::ranges::push_heap(heap, [&](QueueIndex a, QueueIndex b) { return before(b, a); });
  }
}

// Queues with jobs, and all above them; children before parents.
std::vector<QueueIndex> FairShareOrder::children_first() const {
  const auto depth_of = [&](QueueIndex queue) {
    std::uint32_t depth = 0;
    for (; queue != top_; queue = queue_heads_[queue].parent) ++depth;
    return depth;
  };
  constexpr std::uint32_t kNotYet = ~std::uint32_t{0};
  IndexedVector<QueueIndex, std::uint32_t> depth(queue_heads_.size(), kNotYet);
  std::vector<QueueIndex> found;
  for (const QueueIndex leaf : indices<QueueIndex>(top_.value)) {
    if (queue_heads_[leaf].jobs.empty()) continue;
    for (QueueIndex queue = leaf; queue != kNone && depth[queue] == kNotYet; queue = queue_heads_[queue].parent) {
      depth[queue] = depth_of(queue);
      found.push_back(queue);
    }
  }
  std::ranges::sort(found, {}, [&](QueueIndex queue) { return std::pair(-std::int64_t{depth[queue]}, queue); });
  return found;
}

EntryIndex FairShareOrder::next() {
  QueueHead* const queue_heads = queue_heads_.raw().data();
  if (last_ != kNone) {
    QueueHead& leaf = queue_heads[last_.value];
    leaf.jobs.next(cycle_.pending, cycle_.tried);
    send_job(leaf, last_);
    // It and each queue above it were the first of their heaps.
    for (QueueIndex queue = leaf.parent; queue != top_; queue = queue_heads[queue.value].parent) {
      settle_first(queue_heads[queue.value].children);
      send_best(queue_heads[queue.value], queue);
    }
    settle_first(queue_heads[top_.value].children);
  }
  const std::vector<QueueIndex>& roots = queue_heads[top_.value].children;
  last_ = roots.empty() ? QueueIndex{} : queue_heads[roots.front().value].leaf;
  return last_ == kNone ? EntryIndex{} : queue_heads[last_.value].jobs.head();
}

void FairShareOrder::renew(QueueIndex queue) {
  QueueHead& queue_head = queue_heads_[queue];
  if (queue_head.jobs.empty()) send_best(queue_head, queue);
  else send_job(queue_head, queue);
}

// An admitted job adds nothing, as its usage counts already. Nor does an old job.
void FairShareOrder::send_job(QueueHead& leaf, QueueIndex queue) {
  const EntryIndex head = leaf.jobs.head();
  leaf.leaf = head == kNone ? QueueIndex{} : queue;
  if (head == kNone) return;
  const PendingEntry& job = cycle_.pending.entries[head];
  Key& key = keys_[queue];
  key.urgency = job.urgency;
  key.queue_time = leaf.jobs.queue_time(cycle_.in, cycle_.pending, job);
  const bool open = job.status == EntryStatus::open;
  Wish* const wish = open ? &wish_of(job.shape) : nullptr;
  const bool asks = wish && wish->adds == Wish::Adds::some, adds = asks && !is_old(cycle_.in, job);
  leaf.wish = adds ? job.shape : kNone;
  leaf.shared = !open || !is_neglected(cycle_.in, job);
  if (!adds) return compare_by(leaf, queue, {.old = asks ? job.shape : kNone});
  leaf.seen = kNeverSeen;
  key.shares = shares_of(*wish, job.shape, queue);
}

void FairShareOrder::send_best(QueueHead& cohort, QueueIndex queue) {
  cohort.leaf = cohort.children.empty() ? QueueIndex{} : queue_heads_[cohort.children.front()].leaf;
  if (cohort.leaf == kNone || queue == top_ || (one_root_ && cohort.parent == top_)) return;
  const QueueIndex child = cohort.children.front();
  Key& key = keys_[queue];
  key.urgency = keys_[child].urgency;
  key.queue_time = keys_[child].queue_time;
  if (cohort.parent == top_) {
    key.shares = {};
    return;
  }
  const More& below = more_of(queue_heads_[child]);
  cohort.shared = queue_heads_[child].shared;
  More above{.flavor = below.flavor, .amounts = {}, .decayed_usage = {}, .old = kNone};
  if (below.old != kNone && has_no_quota(child, below.old)) above.old = below.old;
  if (above.flavor != kNone) {
    above.amounts = passed_on(cycle_.in.state.quota, child, above.flavor, below.amounts);
    if (cycle_.tried.decayed_usage)
      above.decayed_usage = passed_on(cycle_.tried.decayed_usage->quota(), child, above.flavor, below.decayed_usage);
  }
  compare_by(cohort, queue, above);
}

// The share is the same while the request is the same and the trial has not changed.
void FairShareOrder::compare_by(QueueHead& queue_head, QueueIndex queue, const More& more) {
  const std::uint64_t taken = cycle_.tried.trial.changes();
  Key& key = keys_[queue];
  if (!queue_head.shared) key.shares = {};
  else if (queue_head.seen != taken || queue_head.more != more) key.shares = shares_with(queue, more);
  queue_head.seen = queue_head.shared ? taken : kNeverSeen;
  queue_head.more = more;
}

FairShareOrder::Shares FairShareOrder::shares_with(QueueIndex queue, const More& more) const {
  Shares shares{.share = share_with(cycle_.in.state.quota, queue, more.flavor, more.amounts)};
  const bool all_is_lent = more.old != kNone && has_no_quota(queue, more.old);
  if (all_is_lent && cycle_.in.state.quota.weight_milli(queue) == 0) shares.share.nano = Share::kLast;
  shares.borrows = all_is_lent || shares.share.borrows();
  if (!shares.borrows || cycle_.in.policy.fair_share == FairShare::instant) return shares;
  shares.decayed_usage = shares.share.nano == Share::kLast
                             ? shares.share
                             : share_with(cycle_.tried.decayed_usage->quota(), queue, more.flavor, more.decayed_usage);
  return shares;
}

bool FairShareOrder::has_no_quota(QueueIndex queue, ShapeIndex shape) const {
  const More& asked = mores_[shape];
  return cycle_.in.state.quota.parent(queue) != kNone && std::ranges::any_of(kKindsByWeight, [&](ResourceKind kind) {
           return asked.amounts[kind] > 0 && cycle_.in.state.quota.subtree(queue, asked.flavor, kind) == 0;
         });
}

const FairShareOrder::More& FairShareOrder::more_of(const QueueHead& queue_head) {
  return queue_head.wish == kNone ? queue_head.more : mores_[queue_head.wish];
}

// An anchor counts as if it were like the other tasks, as it is the smaller part. Groups count in the flavor in which
// they ask for most.
FairShareOrder::More FairShareOrder::more_of(const Shape& shape, const Flavors& flavors) {
  if (shape.groups.empty()) return {.flavor = flavors.last(), .amounts = shape.total(), .decayed_usage = {}};
  const auto weight = [&](FlavorIndex flavor) {
    const ResourceVector amounts = shape.in(flavors, flavor);
    return std::tuple(amounts[ResourceKind::gpus], amounts[ResourceKind::cpus], amounts[ResourceKind::memory]);
  };
  const FlavorIndex most = *std::ranges::max_element(flavors.each(), {}, weight);
  return {.flavor = most, .amounts = shape.in(flavors, most), .decayed_usage = {}};
}

void FairShareOrder::look_at(ShapeIndex index, Wish& wish) {
  wish.adds = Wish::Adds::nothing;
  const auto& options = cycle_.known.shape_caches[index].options;
  const auto first = std::ranges::find_if(options, &Option::within_max);
  if (first == options.end()) return;
  const Shape& shape = cycle_.in.state.shapes[index];
  More& more = mores_[index];
  more = more_of(shape, first->flavors);
  for (const ResourceKind kind : kKindsByWeight)
    if (!cycle_.in.state.quota.limited(shape.queue, more.flavor, kind)) more.amounts[kind] = 0;
  if (cycle_.tried.decayed_usage) more.decayed_usage = cycle_.tried.decayed_usage->entry(more.amounts);
  if (more.flavor != kNone) wish.adds = Wish::Adds::some;
}

// Comparisons here dominate the cost of next(), so the sinking element is written only once.
void FairShareOrder::sink_first(std::vector<QueueIndex>& heap) const {
  if (queue_heads_[heap.front()].leaf == kNone) {
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
