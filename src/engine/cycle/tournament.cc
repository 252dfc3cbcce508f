#include "engine/cycle/tournament.h"

#include <algorithm>
#include <utility>

#include "engine/quota/demand.h"

namespace ym::engine {

Tournament::Tournament(const Cycle& cycle, Rank first)
    : cycle_(cycle),
      top_(cycle.state.queue_names.size()),
      entrants_(std::size_t{top_} + 1),
      wishes_(cycle.cases.size()) {
  for (Index queue = 0; queue < top_; ++queue) {
    const Index parent = cycle_.state.quota.parent(queue);
    entrants_[queue].parent = parent == kNone ? top_ : parent;
  }
  enter_jobs(first);
  for (const Index queue : children_first()) {
    renew(queue);
    const Index parent = entrants_[queue].parent;
    if (parent == kNone) continue;
    auto& heap = entrants_[parent].children;
    heap.push_back(queue);
    std::ranges::push_heap(heap, [&](Index a, Index b) { return before(b, a); });
  }
}

void Tournament::enter_jobs(Rank first) {
  std::vector<std::size_t> jobs(entrants_.size());
  for (Rank rank = first; rank < cycle_.considered; ++rank) ++jobs[cycle_.queue_of(rank)];
  for (Index queue = 0; queue < top_; ++queue) entrants_[queue].jobs.reserve(jobs[queue]);
  for (Rank rank = first; rank < cycle_.considered; ++rank)
    entrants_[cycle_.queue_of(rank)].jobs.add(cycle_.order[rank]);
  for (Index queue = 0; queue < top_; ++queue) entrants_[queue].jobs.form(cycle_, queue);
}

// Those who have jobs, and all above them.
std::vector<Index> Tournament::children_first() const {
  const auto depth_of = [&](Index queue) {
    Index depth = 0;
    for (; queue != top_; queue = entrants_[queue].parent) ++depth;
    return depth;
  };
  std::vector<Index> depth(entrants_.size(), kNone);
  std::vector<Index> found;
  for (Index leaf = 0; leaf < top_; ++leaf) {
    if (entrants_[leaf].jobs.empty()) continue;
    for (Index queue = leaf; queue != kNone && depth[queue] == kNone; queue = entrants_[queue].parent) {
      depth[queue] = depth_of(queue);
      found.push_back(queue);
    }
  }
  std::ranges::sort(found, {}, [&](Index queue) { return std::pair(-std::int64_t{depth[queue]}, queue); });
  return found;
}

Index Tournament::next() {
  if (last_ != kNone) {
    entrants_[last_].jobs.next(cycle_);
    renew(last_);
    // All that led up to it were the first of their heaps.
    for (Index queue = entrants_[last_].parent; queue != kNone; queue = entrants_[queue].parent) {
      settle_first(entrants_[queue].children);
      renew(queue);
    }
  }
  last_ = entrants_[top_].leaf;
  return last_ == kNone ? kNone : entrants_[last_].jobs.head()->slot;
}

void Tournament::renew(Index queue) {
  Entrant& entrant = entrants_[queue];
  if (entrant.jobs.empty()) send_best(entrant, queue);
  else send_job(entrant, queue);
}

void Tournament::send_job(Entrant& leaf, Index queue) {
  const Seat* job = leaf.jobs.head();
  leaf.leaf = job ? queue : kNone;
  if (!job) return;
  const More more = more_of(*job);
  Key key{.urgency = job->urgency, .submitted_at = job->submitted_at, .id = job->id};
  if (more.flavor == kNone || !more.shared) return compare_by(leaf, queue, more, key);
  leaf.more = more;
  leaf.key = key;
  leaf.key.take_shares(shares_of(job->shape, queue));
  leaf.seen = cycle_.trial.changes();
}

void Tournament::send_best(Entrant& cohort, Index queue) {
  cohort.leaf = cohort.children.empty() ? kNone : entrants_[cohort.children.front()].leaf;
  if (cohort.leaf == kNone || queue == top_) return;
  const Entrant& best = entrants_[cohort.children.front()];
  if (cohort.parent == top_) {
    cohort.key = best.key;
    cohort.key.take_shares({});
    return;
  }
  More above{.flavor = best.more.flavor, .amounts = {}, .lately = {}, .shared = best.more.shared};
  if (above.flavor != kNone) {
    const Index child = cohort.children.front();
    above.amounts = passed_on(cycle_.state.quota, child, above.flavor, best.more.amounts);
    if (cycle_.lately) above.lately = passed_on(cycle_.lately->quota(), child, above.flavor, best.more.lately);
  }
  compare_by(cohort, queue, above, best.key);
}

// Who asks for the same while nothing was taken has the same share.
void Tournament::compare_by(Entrant& entrant, Index queue, const More& more, Key key) {
  const std::uint64_t taken = cycle_.trial.changes();
  if (!more.shared) key.take_shares({});
  else if (entrant.seen == taken && entrant.more == more) key.take_shares(entrant.key);
  else share_by(key, queue, more);
  entrant.seen = taken;
  entrant.more = more;
  entrant.key = key;
}

void Tournament::share_by(Key& key, Index queue, const More& more) const {
  key.take_shares({});
  key.share = share_with(cycle_.state.quota, queue, more.flavor, more.amounts);
  key.borrows = key.share.borrows();
  if (!key.borrows || cycle_.policy.fair_share == FairShare::instant) return;
  key.lately =
      key.share.nano == Share::kLast ? key.share : share_with(cycle_.lately->quota(), queue, more.flavor, more.lately);
}

// Nothing for those who have a place: that counts already.
Tournament::More Tournament::more_of(const Seat& job) {
  const Rank rank = cycle_.rank_of[job.slot];
  if (cycle_.standing[rank] != Standing::open) return {};
  More more = wish_of(job.shape).more;
  more.shared = more.flavor == kNone || cycle_.now < job.aged_at;
  return more;
}

// An anchor counts as if it were like the others: it is the smaller part. Groups count by the flavor of which they want
// most.
Tournament::More Tournament::more_of(const Shape& shape, const Flavors& flavors) {
  if (shape.groups.empty()) return {.flavor = flavors.last(), .amounts = shape.total(), .lately = {}};
  const auto weight = [&](Index flavor) {
    const ResourceVector amounts = shape.in(flavors, flavor);
    return std::tuple(amounts[ResourceKind::gpus], amounts[ResourceKind::cpus], amounts[ResourceKind::memory]);
  };
  const Index most = *std::ranges::max_element(flavors.each(), {}, weight);
  return {.flavor = most, .amounts = shape.in(flavors, most), .lately = {}};
}

const Tournament::Key& Tournament::shares_of(Index shape, Index queue) {
  Wish& wish = wish_of(shape);
  const std::uint64_t taken = cycle_.trial.changes();
  if (wish.seen != taken) share_by(wish.shares, queue, wish.more);
  wish.seen = taken;
  return wish.shares;
}

Tournament::Wish& Tournament::wish_of(Index index) {
  auto& wish = wishes_[index];
  if (wish) return *wish;
  More& more = wish.emplace().more;
  const auto& options = cycle_.cases[index].options;
  const auto first = std::ranges::find_if(options, &Option::within_max);
  if (first == options.end()) return *wish;
  const Shape& shape = cycle_.state.shapes[index];
  more = more_of(shape, first->flavors);
  for (const ResourceKind kind : kKindsByWeight)
    if (!cycle_.state.quota.limited(shape.queue, more.flavor, kind)) more.amounts[kind] = 0;
  if (cycle_.lately) more.lately = cycle_.lately->entry(more.amounts);
  return *wish;
}

void Tournament::settle_first(std::vector<Index>& heap) const {
  if (entrants_[heap.front()].leaf == kNone) {
    heap.front() = heap.back();
    heap.pop_back();
  }
  for (std::size_t at = 0;;) {
    std::size_t best = at;
    for (const std::size_t child : {2 * at + 1, 2 * at + 2})
      if (child < heap.size() && before(heap[child], heap[best])) best = child;
    if (best == at) return;
    std::swap(heap[at], heap[best]);
    at = best;
  }
}

}  // namespace ym::engine
