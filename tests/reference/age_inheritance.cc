#include "reference/age_inheritance.h"

#include <algorithm>

namespace ym::reference {

void mark_jobs_that_give_age(const BeforeRound& round, std::vector<Wish>& waiting) {
  for (Wish& wish : waiting) {
    const Job& job = *wish.job;
    const auto flavors = round.serving_flavors(job);
    if (!is_of_one_kind(job) || flavors.empty() || round.is_barred(job)) continue;
    const auto has_quota = [&](const std::string& flavor) { return round.quota.covers_now(job, flavor); };
    wish.gives_age = std::ranges::any_of(flavors, has_quota);
  }
}

}  // namespace ym::reference
