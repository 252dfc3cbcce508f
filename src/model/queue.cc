#include "model/queue.h"

#include <algorithm>

#include "base/assert.h"

namespace ym {
namespace {

constexpr std::array<std::string_view, 3> kPreemptRules{"never", "lower-priority", "any"};
constexpr std::array<std::string_view, 4> kJobOrders{"fifo", "shortest-first", "least-attained-service", "deadline"};
constexpr std::array<std::string_view, 2> kFlavorSearches{"stop", "try-next"};
constexpr std::array<std::string_view, 3> kStopPolicies{"none", "hold", "hold-and-drain"};

template <class Enum, std::size_t Count>
std::optional<Enum> parse(const std::array<std::string_view, Count>& names, std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (text == names.at(i)) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

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

std::string_view to_string(PreemptRule rule) { return kPreemptRules.at(static_cast<std::size_t>(rule)); }

std::optional<PreemptRule> parse_preempt_rule(std::string_view text) { return parse<PreemptRule>(kPreemptRules, text); }

std::string_view to_string(FlavorSearch search) { return kFlavorSearches.at(static_cast<std::size_t>(search)); }

std::optional<FlavorSearch> parse_flavor_search(std::string_view text) {
  return parse<FlavorSearch>(kFlavorSearches, text);
}

std::string_view to_string(StopPolicy policy) { return kStopPolicies.at(static_cast<std::size_t>(policy)); }

std::optional<StopPolicy> parse_stop_policy(std::string_view text) { return parse<StopPolicy>(kStopPolicies, text); }

std::string_view to_string(JobOrder order) { return kJobOrders.at(static_cast<std::size_t>(order)); }

std::optional<JobOrder> parse_job_order(std::string_view text) { return parse<JobOrder>(kJobOrders, text); }

}  // namespace ym
