#include "reference/lenders.h"

#include <algorithm>

namespace ym::reference {

void mark_lenders(const Lending& lending, std::vector<Wish>& waiting) {
  for (Wish& wish : waiting) {
    const Job& job = *wish.job;
    const auto flavors = lending.serving_flavors(job);
    if (!is_of_one_kind(job) || flavors.empty() || lending.is_barred(job)) continue;
    const auto has_quota = [&](const std::string& flavor) { return lending.quota.covers_now(job, flavor); };
    wish.lends = std::ranges::any_of(flavors, has_quota);
  }
}

}  // namespace ym::reference
