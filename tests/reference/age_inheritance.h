// Age inheritance: which jobs give their age to the jobs before them in their queue.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/dequeue_order.h"
#include "reference/keepers.h"

namespace ym::reference {

// What is known before a round. Precondition: no job has a reservation or blocks backfill.
struct BeforeRound {
  NaiveQuota quota;
  std::function<bool(const Job&)> is_barred;
  std::function<std::vector<std::string>(const Job&)> serving_flavors;
};

// Sets Wish::gives_age of all of these.
void mark_jobs_that_give_age(const BeforeRound& round, std::vector<Wish>& waiting);

}  // namespace ym::reference
