#include "model/queue.h"

#include <algorithm>

#include "base/assert.h"

namespace ym {

FlavorQuota& QuotaList::operator[](std::string_view flavor) {
  const auto it = std::ranges::find(entries_, flavor, &Entry::first);
  return it != entries_.end() ? it->second : entries_.emplace_back(flavor, FlavorQuota{}).second;
}

const FlavorQuota* QuotaList::find(std::string_view flavor) const {
  const auto it = std::ranges::find(entries_, flavor, &Entry::first);
  return it == entries_.end() ? nullptr : &it->second;
}

const FlavorQuota& QuotaList::at(std::string_view flavor) const {
  const FlavorQuota* found = find(flavor);
  YM_ASSERT(found);
  return *found;
}

namespace {

// A missing limit is larger than any amount.
bool is_less(const std::optional<std::int64_t>& amount, const std::optional<std::int64_t>& than) {
  return amount && (!than || *amount < *than);
}

bool is_less(const std::optional<Quota>& quota, const std::optional<Quota>& than) {
  if (!quota || !than) return quota.has_value();
  return quota->nominal < than->nominal || is_less(quota->borrowing_limit, than->borrowing_limit) ||
         is_less(quota->lending_limit, than->lending_limit);
}

}  // namespace

bool shrinks(const Queue& before, const Queue& after) {
  if (before.parent != after.parent) return true;
  if (!after.quota) return before.quota.has_value();
  if (!before.quota) return true;
  for (const auto& [flavor, had] : *before.quota) {
    const FlavorQuota* has = after.quota->find(flavor);
    if (!has) return true;
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      if (is_less(has->at(kind), had.at(kind))) return true;
  }
  return false;
}

Queue servers_own_queue() { return {.name = std::string(kDefaultQueue), .managed_by = ManagedBy::api}; }

bool is_servers_own(const Queue& queue) {
  if (queue.name != kDefaultQueue) return false;
  Queue open = queue;
  open.stop = StopPolicy::none;
  open.shrunk_at.reset();
  open.accepts_jobs = true;
  return open == servers_own_queue();
}

Queue following(const Queue& before, Queue after, Instant now) {
  after.shrunk_at = shrinks(before, after) ? std::optional(now) : before.shrunk_at;
  return after;
}

std::optional<Duration> promised_wait(const Queue& queue, std::int32_t priority) {
  std::optional<Duration> shortest;
  for (const WaitPromise& promise : queue.wait_promises)
    if (priority >= promise.priority) shortest = std::min(shortest.value_or(promise.within), promise.within);
  return shortest;
}

}  // namespace ym
