#include "reference/causes.h"

#include <algorithm>
#include <set>

#include "reference/never.h"

namespace ym::reference {
namespace {

// What the flavors lack for it; `roomy` are those that lack nothing but for what is promised.
std::vector<Cause> lacks(const Seen& seen, const Job& job, const std::vector<std::string>& possible,
                         std::set<std::string>& roomy) {
  std::vector<Cause> found;
  for (const auto& flavor : possible) {
    const std::size_t before = found.size();
    if (!seen.quota.covers_now(job.queue, flavor, job.spec->total()))
      found.push_back({.code = ReasonCode::waiting_for_quota, .flavor = flavor});
    if (const auto keeper = seen.keepers.first(job, flavor))
      found.push_back({.code = ReasonCode::priority, .flavor = flavor, .blocker = keeper});
    if (const auto code = seen.machines.lack(job, flavor)) found.push_back({.code = *code, .flavor = flavor});
    if (found.size() != before) continue;
    roomy.insert(flavor);
    if (const JobId first = seen.promises.first(job, flavor, seen.quota))
      found.push_back({.code = ReasonCode::reserved, .flavor = flavor, .blocker = first});
  }
  return found;
}

}  // namespace

std::vector<Cause> causes_of(const Seen& seen, const Job& job, const std::vector<std::string>& flavors,
                             const std::vector<std::string>& possible) {
  std::set<std::string> roomy;
  std::vector<Cause> found = lacks(seen, job, possible, roomy);
  if (possible.empty()) found = never(job, flavors, seen.tables, seen.machines, seen.quota);
  const Over over = seen.budgets.over(job, possible);
  const bool barred = seen.head || seen.limits.forbid(job) || over.whole;
  const auto closed = barred ? std::nullopt : seen.promises.closed_flavor(job, roomy);
  if (barred || closed) std::erase_if(found, [](const Cause& one) { return one.code == ReasonCode::reserved; });
  if (closed) found.push_back({.code = ReasonCode::reserved, .flavor = *closed});
  if (seen.head) found.push_back({.code = ReasonCode::priority, .blocker = seen.head});
  if (seen.limits.forbid(job)) found.push_back({.code = ReasonCode::limit_reached});
  if (over.whole) found.push_back({.code = ReasonCode::budget_exhausted, .flavor = over.everywhere ? "" : over.flavor});
  std::vector<Cause> sorted;
  for (const auto& cause : found) sorted.insert(std::ranges::upper_bound(sorted, cause.code, {}, &Cause::code), cause);
  return sorted;
}

}  // namespace ym::reference
