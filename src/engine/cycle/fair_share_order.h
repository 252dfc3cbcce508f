// FairShareOrder: whose turn it is, between the queues.
//
// The queues' next jobs meet level by level of the tree, as in Kueue's fair sharing: of the children of
// a cohort that one goes on whose share would be the least if its job were admitted in the first flavor
// that it tries. So those within their quota come before those who borrow. Unless the policy says
// `instant`, those who borrow are compared by their shares of what was used lately first. Then comes the
// one with the highest priority, then the most senior one (effective_queue_time.h). Roots have no share. An old job
// adds nothing to the share of its queue (but where the queue has no quota of its own it borrows all the same), and a
// neglected one has none (age.h): else those who borrow little would pass one that has to borrow much for ever. Within
// a queue the order is the cycle's. Shares are those of the moment: what has just been admitted counts.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/dequeue_order.h"
#include "engine/cycle/effective_queue_time.h"
#include "engine/quota/fair_share.h"

namespace ym::engine {

class FairShareOrder {
 public:
  // Among those whom the cycle considers, and has not placed.
  explicit FairShareOrder(const Cycle& cycle);

  // The seat of the job whose turn it is; kNone: all have had theirs. To be asked again when the
  // cycle has dealt with that job.
  EntryIndex next();
  // Whether the job in the seat, and all jobs behind it in the queue, may still have a turn.
  bool may_come_to(QueueIndex queue, EntryIndex entry) const { return queue_heads_[queue].jobs.may_come_to(entry); }

 private:
  // What a job adds to the usage of a queue.
  struct More {
    FlavorIndex flavor = kNone;
    ResourceVector amounts;
    ResourceVector decayed_usage;  // what it adds at once to what was used lately
    ShapeIndex old = kNone;        // it is old and adds nothing: its shape
    bool operator==(const More&) const = default;
  };
  struct Shares {
    bool borrows = false;
    Share decayed_usage;  // of those who borrow
    Share share;
    auto operator<=>(const Shares&) const = default;
  };
  // The best job of a queue or cohort, as its parent compares it.
  struct Key {
    Shares shares;
    std::int64_t urgency = 0;  // less is more urgent
    EffectiveQueueTime queue_time;
    auto operator<=>(const Key&) const = default;
  };
  // A queue or cohort with jobs in it or below it.
  struct QueueHead {
    QueueIndex parent = kNone;
    DequeueOrder jobs;
    std::vector<QueueIndex> children;  // a heap, the best first: those who have a job left
    QueueIndex leaf = kNone;           // whose job is its best; kNone: none is left
    ShapeIndex wish = kNone;           // of a queue: the shape of its job; kNone: that adds nothing
    bool shared = true;                // false: its job has no share
    More more;                         // of a cohort: what its best job adds to it
    std::uint64_t seen = kNeverSeen;   // how much the cycle had taken when the share with that was found
  };
  static constexpr std::uint64_t kNeverSeen = ~std::uint64_t{0};

  std::vector<QueueIndex> children_first() const;
  void renew(QueueIndex queue_head);
  void send_job(QueueHead& leaf, QueueIndex queue);
  void send_best(QueueHead& cohort, QueueIndex queue);
  void compare_by(QueueHead& queue_head, QueueIndex queue, const More& more);
  const More& more_of(const QueueHead& queue_head);
  static More more_of(const Shape& shape, const Flavors& flavors);
  Shares shares_with(QueueIndex queue, const More& more) const;
  // Of something that the shape asks for.
  bool has_no_quota(QueueIndex queue, ShapeIndex shape) const;
  // The shares that a queue would have with a job of a shape. Small, as each turn asks for one.
  struct Wish {
    std::uint64_t seen = kNeverSeen;  // how much the cycle had taken when they were found
    Shares shares;
    enum class Adds : std::uint8_t { unknown, nothing, some } adds = Adds::unknown;
  };
  Wish& wish_of(ShapeIndex shape) {
    Wish& wish = wishes_[shape];
    if (wish.adds == Wish::Adds::unknown) look_at(shape, wish);
    return wish;
  }
  void look_at(ShapeIndex shape, Wish& wish);
  const Shares& shares_of(Wish& wish, ShapeIndex shape, QueueIndex queue) const {
    const std::uint64_t taken = cycle_.tried.trial.changes();
    if (wish.seen != taken) wish.shares = shares_with(queue, mores_[shape]);
    wish.seen = taken;
    return wish.shares;
  }
  // The first of the heap has changed.
  void settle_first(std::vector<QueueIndex>& heap) const {
    if (heap.size() > 1 || queue_heads_[heap.front()].leaf == kNone) sink_first(heap);
  }
  void sink_first(std::vector<QueueIndex>& heap) const;
  bool before(QueueIndex a, QueueIndex b) const { return keys_[a] < keys_[b]; }

  const Cycle& cycle_;
  QueueIndex top_;                                    // stands above the roots
  IndexedVector<QueueIndex, QueueHead> queue_heads_;  // the last is the top
  IndexedVector<QueueIndex, Key> keys_;               // theirs, close together: what a turn compares most
  IndexedVector<ShapeIndex, Wish> wishes_;
  IndexedVector<ShapeIndex, More> mores_;  // what its jobs add
  bool one_root_ = false;                  // it is compared with nobody
  QueueIndex last_ = kNone;                // the queue whose job had its turn
};

}  // namespace ym::engine
