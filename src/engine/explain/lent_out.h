// Why the quota that other queues borrow is not reclaimed for a job within nominal quota.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/explain/borrower_groups.h"
#include "engine/preemption/lawful.h"

namespace ym::engine {

// For a cycle at its end, which must outlive it. A result is reused for all jobs of a queue with the same contested
// resources. If the queue reclaims from lower priorities only, it is reused per priority.
class LentOutFinder {
 public:
  explicit LentOutFinder(const Cycle& cycle);

  // Adds the finding to a reason why the job waits for quota or machines of these flavors. False: nothing is added.
  // Either the job is not within nominal quota, or none of that is lent, or the next cycle has to search for jobs to
  // stop.
  bool add_to(Reason& reason, Rank rank, const Flavors& flavors);

 private:
  // Queue, queue or cohort in whose nominal quota the job is, flavors, kinds, priority below which it reclaims, and its
  // arrival if some jobs were stopped since.
  using Asked = std::tuple<QueueIndex, QueueIndex, Flavors, Kinds, std::int64_t, Instant>;
  struct Found {
    LentOut lent;
    // What of it may be reclaimed, and yet is not.
    FlavorIndex flavor = kNone;
    ResourceKind kind = ResourceKind::gpus;
    std::size_t stoppable = 0;
    bool some_are_young = false;  // others are within their minimum run time
    std::int64_t stoppable_amount = 0;
  };
  class Search;

  // Nothing: no quota is lent.
  const std::optional<Found>& known(const Claimant& claimant, QueueIndex within);
  // The field of LentOut that counts the jobs that may be stopped.
  std::int64_t LentOut::* why_not_stopped(const Claimant& claimant, const Found& found) const;

  const Inputs& in_;
  const PendingEntries& pending_;
  const Tried& tried_;
  bool may_say_;
  BorrowerGroups groups_;
  std::map<Asked, std::optional<Found>> known_;
};

}  // namespace ym::engine
