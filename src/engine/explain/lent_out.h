// Why what other queues borrow is not taken back for a job that is within nominal quota.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/explain/bands.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// Of a cycle at its end, which must outlive it. What keeps it is found once for all jobs of a queue in which the same
// is contested; of those whose queue takes back from lower priorities only, once for each priority.
class LentOutFinder {
 public:
  explicit LentOutFinder(const Cycle& cycle);

  // Adds it to a reason why the job of this rank waits for quota or machines of these flavors. False: nothing is added,
  // as the job is not within nominal quota, or nothing of that is lent; or it is for the next cycle to look for
  // victims.
  bool add_to(Reason& reason, Rank rank, const Flavors& flavors);

 private:
  // Queue, where it is within nominal quota, flavors, kinds, priority below which it takes back; its arrival, if some
  // were stopped since.
  using Asked = std::tuple<QueueIndex, QueueIndex, Flavors, Kinds, std::int64_t, Instant>;
  struct Found {
    LentOut lent;
    // What of it may be taken back, and yet is not.
    FlavorIndex flavor = kNone;
    ResourceKind kind = ResourceKind::gpus;
    std::size_t stoppable = 0;
    bool some_are_young = false;  // others are within their minimum run time
    std::int64_t stoppable_amount = 0;
  };
  class Search;

  // Nothing: nothing is lent.
  const std::optional<Found>& known(const Claimant& claimant, QueueIndex within);
  // Where those of them are counted that may be stopped.
  std::int64_t LentOut::* why_not_stopped(const Claimant& claimant, const Found& found) const;

  const Cycle& cycle_;
  bool may_say_;
  Bands bands_;
  std::map<Asked, std::optional<Found>> known_;
};

}  // namespace ym::engine
