#include "control/commands/quota_growth.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "model/resources.h"
#include "model/tables.h"

namespace ym {
namespace {

using Queues = std::map<std::string, Queue>;
using Sums = std::map<std::string, ResourceVector>;  // by flavor

const Queue* above(const Queues& queues, const Queue& queue) {
  const auto parent = queues.find(queue.parent);
  return parent == queues.end() ? nullptr : &parent->second;
}

// Parents may form a cycle, so the steps are bounded.
bool is_within(const Queues& queues, const Queue& queue, const std::string& top) {
  const Queue* at = &queue;
  for (std::size_t steps = 0; at != nullptr && steps <= queues.size(); at = above(queues, *at), ++steps)
    if (at->name == top) return true;
  return false;
}

// The topmost queue at or above this one that the caller may edit the queues of.
std::string top_of(const Queues& queues, const Access& access, const std::string& from) {
  std::string top;
  auto at = queues.find(from);
  for (std::size_t steps = 0; at != queues.end() && steps <= queues.size(); ++steps) {
    if (allows(access, Permission::queues_edit, {.queue = at->first})) top = at->first;
    at = queues.find(at->second.parent);
  }
  return top;
}

Sums sums_within(const Queues& queues, const std::string& top) {
  Sums sums;
  for (const auto& [name, queue] : queues) {
    if (!queue.quota || !is_within(queues, queue, top)) continue;
    for (const auto& [flavor, kinds] : *queue.quota)
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i]) sums[flavor][resource_kind(i)] += kinds[i]->nominal;
  }
  return sums;
}

// The kinds that some queue of the tree limits, by flavor. A kind that a queue leaves out is unlimited and not counted,
// and a flavor that it lists can be borrowed.
std::map<std::string, std::set<std::size_t>> limited_within(const Queues& queues, const std::string& top) {
  std::map<std::string, std::set<std::size_t>> limited;
  for (const auto& [name, queue] : queues) {
    if (!queue.quota || !is_within(queues, queue, top)) continue;
    for (const auto& [flavor, kinds] : *queue.quota)
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i]) limited[flavor].insert(i);
  }
  return limited;
}

std::unexpected<Error> opens_more(const Queue& queue, std::string_view what) {
  return fail(ErrorCode::forbidden, fmt::format("queue '{}' would have no limit of {}; write one, 0 if it owns none, "
                                                "or ask its parent's administrator",
                                                queue.name, what));
}

// Errors: `forbidden`: the row leaves out what the queues around it limit, and the row before did not.
Result<void> check_opened(const Queue& queue, const Queue* before, const Queues& queues, const std::string& top) {
  const auto limited = limited_within(queues, top);
  if (limited.empty() || (before && !before->quota)) return {};
  if (!queue.quota) return opens_more(queue, "quota");
  for (const auto& [flavor, kinds] : *queue.quota) {
    const auto around = limited.find(flavor);
    if (around == limited.end()) return opens_more(queue, "flavor " + flavor);
    const FlavorQuota* old = before ? before->quota->find(flavor) : nullptr;
    for (const std::size_t kind : around->second)
      if (!kinds[kind] && (!old || (*old)[kind]))
        return opens_more(queue, fmt::format("{} of flavor {}", to_string(resource_kind(kind)), flavor));
  }
  return {};
}

Result<void> check_top(const std::string& top, const Queues& before, const Queues& after) {
  const Sums was = sums_within(before, top);
  for (const auto& [flavor, now] : sums_within(after, top)) {
    const auto known = was.find(flavor);
    const ResourceVector old = known == was.end() ? ResourceVector{} : known->second;
    for (std::size_t i = 0; i < kResourceKinds; ++i) {
      const ResourceKind kind = resource_kind(i);
      if (now[kind] <= old[kind]) continue;
      return fail(
          ErrorCode::forbidden,
          fmt::format("queue '{}' and the queues below it would own {} {} of flavor {}, and own {} now; you may "
                      "share what it owns among them, and its parent's administrator may give it more",
                      top, format_amount(kind, now[kind]), to_string(kind), flavor, format_amount(kind, old[kind])));
    }
  }
  return {};
}

}  // namespace

Result<void> check_quota_growth(const Tables& tables, const Access& access, const ApplyQueues& command) {
  if (allows(access, Permission::queues_edit, {})) return {};
  Queues after = tables.queues;
  for (const Queue& queue : command.queues) after.insert_or_assign(queue.name, queue);
  std::set<std::string> tops;
  for (const Queue& queue : command.queues) {
    const auto top = top_of(after, access, queue.parent);
    const auto before = tables.queues.find(queue.name);
    const Queue* present = before == tables.queues.end() ? nullptr : &before->second;
    if (auto checked = check_opened(queue, present, tables.queues, top); !checked) return checked;
    tops.insert(top);
  }
  for (const std::string& top : tops)
    if (auto checked = check_top(top, tables.queues, after); !checked) return checked;
  return {};
}

}  // namespace ym
