// FairShareOrder: which queue is next.
//
// As in Kueue's fair sharing, the next jobs of the queues compete at each level of the tree. Of the children of a
// cohort, the one with the smallest share goes on. Its share is computed as if its job were admitted in the first
// flavor that the job tries. So queues within quota come before queues that borrow. Unless the policy says `instant`,
// borrowing queues are compared by their shares of decayed usage first. Ties: the highest priority, then the earliest
// effective queue time (effective_queue_time.h). Roots have no share.
//
// An old job adds nothing to the share of its queue, but the queue still counts as borrowing where it has no quota of
// its own. A neglected job has no share at all (age.h). Otherwise queues that borrow little would overtake for ever a
// queue that has to borrow much. Within a queue the order is the cycle's. Shares are those of the moment: admissions of
// this cycle count at once.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/order/dequeue_order.h"
#include "engine/cycle/order/effective_queue_time.h"
#include "engine/quota/fair_share.h"

namespace ym::engine {

class FairShareOrder {
 public:
  // Among the jobs that the cycle considers and has not placed.
  explicit FairShareOrder(const Cycle& cycle);

  // The entry of the next job; kNone: all have been tried. Call it again after the cycle has tried that job.
  EntryIndex next();
  // Whether the job in the entry, and all jobs behind it in the queue, may still be tried.
  bool may_come_to(QueueIndex queue, EntryIndex entry) const { return queue_heads_[queue].jobs.may_come_to(entry); }

 private:
  // What a job adds to the usage of a queue.
  struct More {
    FlavorIndex flavor = kNone;
    ResourceVector amounts;
    ResourceVector decayed_usage;  // what it adds at once to decayed usage
    ShapeIndex old = kNone;        // it is old and adds nothing: its shape
    bool operator==(const More&) const = default;
  };
  struct Shares {
    bool borrows = false;
    Share decayed_usage;  // of queues that borrow
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
    std::vector<QueueIndex> children;  // those with a job left: a heap, the best first
    QueueIndex leaf = kNone;           // queue of its best job; kNone: none is left
    ShapeIndex wish = kNone;           // of a queue: the shape of its job; kNone: that adds nothing
    bool shared = true;                // false: its job has no share
    More more;                         // of a cohort: what its best job adds to it
    std::uint64_t seen = kNeverSeen;   // Trial::changes() when the share was computed
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
  // Whether the queue lacks any quota of its own for some kind that the shape asks for.
  bool has_no_quota(QueueIndex queue, ShapeIndex shape) const;
  // The shares that a queue would have with a job of a shape. Kept small: each call of next() reads one.
  struct Wish {
    std::uint64_t seen = kNeverSeen;  // Trial::changes() when they were computed
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
  // Restores the heap after its first element has changed.
  void settle_first(std::vector<QueueIndex>& heap) const {
    if (heap.size() > 1 || queue_heads_[heap.front()].leaf == kNone) sink_first(heap);
  }
  void sink_first(std::vector<QueueIndex>& heap) const;
  bool before(QueueIndex a, QueueIndex b) const { return keys_[a] < keys_[b]; }

  const Cycle& cycle_;
  QueueIndex top_;                                    // stands above the roots
  IndexedVector<QueueIndex, QueueHead> queue_heads_;  // the last is the top
  IndexedVector<QueueIndex, Key> keys_;               // of queue_heads_, close together in memory: read most
  IndexedVector<ShapeIndex, Wish> wishes_;
  IndexedVector<ShapeIndex, More> mores_;  // what jobs of the shape add
  bool one_root_ = false;                  // the only root is compared with no other
  QueueIndex last_ = kNone;                // queue of the job that was tried last
};

}  // namespace ym::engine
