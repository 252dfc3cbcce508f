// When jobs become aged: from then on they may block backfill.
#pragma once

#include <optional>
#include <vector>

#include "reference/dequeue_order.h"

namespace ym::reference {

class Ages {
 public:
  // `age_cap`: for queues without an age cap of their own.
  Ages(const Tables& tables, Duration age_cap) : t_(tables), age_cap_(age_cap) {}

  // After this time (exclusive) no job overtakes it, as far as is known now.
  Instant aged_at(const Job& job, Instant now) const;
  // From this time on its share counts as zero and it blocks backfill on all that it could use, as far as is known now.
  Instant neglected_at(const Job& job, Instant now) const;
  // When it may miss its deadline, if its queue is ordered by deadline. Nothing: never, or it is late already.
  std::optional<Instant> late_from(const Job& job, Instant now) const;
  // The shortest age cap of the queues of these jobs.
  Duration shortest(const std::vector<Wish>& waiting) const;
  // Its queue has an order other than priority and submit time.
  bool has_own_order(const Job& job) const;

 private:
  Duration cap_of(const Job& job) const;
  // The mean wait of the running jobs of the queue.
  Duration wait_of_queue(const std::string& queue) const;

  const Tables& t_;
  Duration age_cap_;
};

}  // namespace ym::reference
