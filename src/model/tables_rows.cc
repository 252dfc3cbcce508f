// Queries of rows, beside the fold.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "model/flavor_mix.h"
#include "model/tables.h"

namespace ym {

const Attempt* Tables::live_attempt(JobId job) const {
  // Attempts of a job are neighbours, and only the newest one can be live.
  const auto after = attempts.upper_bound(AttemptKey{job, std::numeric_limits<std::int32_t>::max()});
  if (after == attempts.begin()) return nullptr;
  const Attempt& newest = std::prev(after)->second;
  return newest.job == job && newest.state != AttemptState::ended ? &newest : nullptr;
}

namespace {

// What the attempt uses of each flavor, in the order of its tasks.
std::vector<std::pair<std::string, ResourceVector>> by_flavor(const Attempt& attempt, const JobSpec& spec) {
  std::vector<std::pair<std::string, ResourceVector>> found;
  const auto add = [&](std::string_view flavor, const ResourceVector& amounts) {
    const auto known = std::ranges::find(found, flavor, [](const auto& one) { return std::string_view(one.first); });
    if (known == found.end()) found.emplace_back(flavor, amounts);
    else known->second += amounts;
  };
  const auto parts = split_flavors(attempt.flavor);
  const std::int64_t tasks = std::ssize(attempt.placement), anchor = spec.placement->anchor;
  const ResourceVector each = spec.resources.vector();
  if (!spec.groups.empty() && parts.size() == spec.groups.size())
    for (std::size_t i = 0; i < parts.size(); ++i)
      add(parts[i], spec.groups[i].resources.vector() * spec.groups[i].nodes);
  else if (parts.size() == 2 && anchor > 0) {
    add(parts.front(), each * anchor);
    add(parts.back(), each * (tasks - anchor));
  } else add(parts.back(), spec.total(tasks));
  return found;
}

}  // namespace

std::vector<UsageEntry> usage_of(const Attempt& attempt, const Job& job) {
  std::vector<UsageEntry> entries;
  for (auto& [flavor, amounts] : by_flavor(attempt, *job.spec))
    entries.push_back({.queue = attempt.queue, .user = job.owner, .flavor = std::move(flavor), .amounts = amounts});
  return entries;
}

std::vector<std::int64_t> prices_of(std::string_view flavor, const std::map<std::string, Flavor>& flavors) {
  std::vector<std::int64_t> prices;
  for (const auto part : split_flavors(flavor)) {
    const auto row = flavors.find(std::string(part));
    prices.push_back(row == flavors.end() ? 0 : row->second.price_micros_per_gpu_hour);
  }
  return prices;
}

std::string flavor_of(const Tables& tables, const Node& node) {
  if (tables.flavors.empty()) return std::string(kDefaultFlavor);
  const auto first =
      std::ranges::find_if(tables.flavors, [&](const auto& entry) { return entry.second.matches(node); });
  return first == tables.flavors.end() ? "" : first->first;
}

Cost cost_until(const Attempt& attempt, const Job& job, Instant time) {
  const auto parts = split_flavors(attempt.flavor);
  YM_ASSERT(attempt.prices_micros.size() == parts.size());
  const Duration ran = attempt.started_at && time > *attempt.started_at ? time - *attempt.started_at : Duration{};
  Cost cost;
  for (const auto& [name, amounts] : by_flavor(attempt, *job.spec)) {
    const auto part = std::ranges::find(parts, name) - parts.begin();
    cost += cost_of(amounts[ResourceKind::gpus], ran, attempt.prices_micros[static_cast<std::size_t>(part)]);
  }
  return cost;
}

UsageRows running_usage(const Tables& tables) {
  UsageRows rows;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended)
      for (const UsageEntry& entry : usage_of(attempt, tables.jobs.at(key.job))) enter(rows, entry, {});
  return rows;
}

void forget(Tables& tables, JobId job) {
  const auto it = tables.jobs.find(job);
  YM_ASSERT(it != tables.jobs.end() && is_terminal(it->second.state));
  tables.jobs.erase(it);
  const auto first = tables.attempts.lower_bound(AttemptKey{job, 0});
  const auto last = tables.attempts.upper_bound(AttemptKey{job, std::numeric_limits<std::int32_t>::max()});
  tables.attempts.erase(first, last);
}

}  // namespace ym
