#include "reference/causes.h"

#include <algorithm>
#include <set>

#include "reference/never.h"
#include "reference/parts.h"

namespace ym::reference {
namespace {

// What the flavors lack for the job. `roomy`: the flavors that lack only what is reserved.
std::vector<Cause> lacks(const Seen& seen, const Job& job, const std::vector<std::string>& possible,
                         std::set<std::string>& roomy) {
  std::vector<Cause> found;
  for (const auto& flavor : possible) {
    const std::size_t before = found.size();
    if (const auto scarce = seen.quota.first_short(job, flavor))
      found.push_back({.code = ReasonCode::waiting_for_quota, .flavor = *scarce});
    if (const auto keeper = seen.keepers.first(job, flavor))
      found.push_back({.code = ReasonCode::priority, .flavor = flavor, .blocker = keeper});
    for (const auto& [own, part] : parts_of(job, flavor))
      if (const auto code = seen.machines.lack(part, own)) {
        found.push_back({.code = *code, .flavor = own});
        break;
      }
    const bool has_parts = std::ranges::none_of(
        parts_of(job, flavor), [&](const Part& part) { return seen.machines.lack(part.job, part.flavor).has_value(); });
    if (has_parts && !seen.machines.have_room_together(job, flavor))
      found.push_back({.code = ReasonCode::fragmented, .flavor = flavor});
    if (found.size() != before) continue;
    for (const auto& [own, part] : parts_of(job, flavor)) roomy.insert(own);
    if (const JobId first = seen.reservations.first(job, flavor, seen.quota))
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
  const auto closed = barred ? std::nullopt : seen.reservations.closed_flavor(job, roomy);
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
