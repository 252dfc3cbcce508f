#include "model/queue.h"

#include <algorithm>

#include "base/assert.h"

namespace ym {
namespace {

constexpr std::array<std::string_view, 3> kPreemptRules{"never", "lower-priority", "any"};

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

std::optional<PreemptRule> parse_preempt_rule(std::string_view text) {
  for (std::size_t i = 0; i < kPreemptRules.size(); ++i)
    if (text == kPreemptRules.at(i)) return static_cast<PreemptRule>(i);
  return std::nullopt;
}

}  // namespace ym
