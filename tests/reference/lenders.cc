#include "reference/lenders.h"

#include <algorithm>
#include <set>

namespace ym::reference {

void mark_lenders(const Lending& lending, std::vector<Wish>& waiting) {
  std::vector<Wish*> line;
  for (Wish& wish : waiting) line.push_back(&wish);
  std::ranges::sort(line, {}, [&](const Wish* wish) { return place_in_line(lending.tables, lending.now, *wish->job); });
  std::set<std::string> lacking;  // queues, of which one lacks quota
  for (Wish* wish : line) {
    const Job& job = *wish->job;
    const auto flavors = lending.serving_flavors(job);
    if (!is_of_one_kind(job) || flavors.empty() || lending.is_barred(job)) continue;
    const auto has_quota = [&](const std::string& flavor) { return lending.quota.covers_now(job, flavor); };
    const auto comes_back = [&](const std::string& flavor) {
      return lending.promises.quota_when_others_go(job, flavor, lending.keepers, lending.quota).has_value();
    };
    if (std::ranges::any_of(flavors, has_quota)) wish->lends = true;
    else if (lacking.insert(job.queue).second) wish->lends = std::ranges::any_of(flavors, comes_back);
  }
}

}  // namespace ym::reference
