// For how long jobs may be passed.
#pragma once

#include <optional>
#include <vector>

#include "reference/turns.h"

namespace ym::reference {

class Ages {
 public:
  // `age_cap`: where a queue has none of its own.
  Ages(const Tables& tables, Duration age_cap) : t_(tables), age_cap_(age_cap) {}

  // From then on, exclusively, nobody passes it, as far as that is known now.
  Instant aged_at(const Job& job, Instant now) const;
  // From then on it has no share, and keeps all, as far as that is known now.
  Instant neglected_at(const Job& job, Instant now) const;
  // When it may miss its deadline, where jobs go by theirs; nothing: never, or it is later than that.
  std::optional<Instant> late_from(const Job& job, Instant now) const;
  // Of the queues of these.
  Duration shortest(const std::vector<Wish>& waiting) const;
  // Its jobs follow each other otherwise than by priority and submit time.
  bool has_own_order(const Job& job) const;

 private:
  Duration cap_of(const Job& job) const;
  // Of the jobs of the queue that run, on the average.
  Duration wait_of_queue(const std::string& queue) const;

  const Tables& t_;
  Duration age_cap_;
};

}  // namespace ym::reference
