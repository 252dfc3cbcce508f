#include "control/commands/quota_growth.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "model/resources.h"
#include "model/tables.h"

namespace ym {
namespace {

using Queues = std::map<std::string, Queue>;
// By flavor: the sum of the nominal quotas of each kind. Nothing: no queue limits the kind.
using Owned = std::map<std::string, std::array<std::optional<std::int64_t>, kResourceKinds>>;

// The topmost queue at or above this one where the caller may edit queues.
std::string top_of(const QueueTree& tree, const Access& access, std::string_view from) {
  std::string_view top;
  for (auto at = from; !at.empty(); at = tree.parent_of(at))
    if (allows(access, Permission::queues_edit, {.queue = at})) top = at;
  return std::string(top);
}

// What the queue and the queues below it own together.
Owned owned_within(const Queues& queues, const QueueTree& tree, const std::string& top) {
  Owned owned;
  for (const auto& [name, queue] : queues) {
    if (!queue.quota || !covers({ScopeKind::queue, top}, {.queue = name}, tree)) continue;
    for (const auto& [flavor, kinds] : *queue.quota)
      for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i]) owned[flavor][i] = owned[flavor][i].value_or(0) + kinds[i]->nominal;
  }
  return owned;
}

std::unexpected<Error> opens_more(const Queue& queue, std::string_view what) {
  return fail(ErrorCode::forbidden, fmt::format("queue '{}' would have no limit of {}; write one, 0 if it owns none, "
                                                "or ask its parent's administrator",
                                                queue.name, what));
}

// A kind that a queue leaves out is unlimited and not counted, and a flavor that it lists can be borrowed. Errors:
// `forbidden`: the row leaves out what the queues around it limit, and the row before did not.
Result<void> check_opened(const Queue& queue, const Queue* before, const Owned& around) {
  if (around.empty() || (before && !before->quota)) return {};
  if (!queue.quota) return opens_more(queue, "quota");
  for (const auto& [flavor, kinds] : *queue.quota) {
    const auto limited = around.find(flavor);
    if (limited == around.end()) return opens_more(queue, "flavor " + flavor);
    const FlavorQuota* old = before ? before->quota->find(flavor) : nullptr;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (limited->second[i] && !kinds[i] && (!old || (*old)[i]))
        return opens_more(queue, fmt::format("{} of flavor {}", to_string(resource_kind(i)), flavor));
  }
  return {};
}

Result<void> check_sums(const std::string& top, const Owned& before, const Owned& after) {
  for (const auto& [flavor, sums] : after) {
    const auto known = before.find(flavor);
    for (std::size_t i = 0; i < kResourceKinds; ++i) {
      const std::int64_t old = known == before.end() ? 0 : known->second[i].value_or(0);
      const std::int64_t now = sums[i].value_or(0);
      if (now <= old) continue;
      const ResourceKind kind = resource_kind(i);
      return fail(
          ErrorCode::forbidden,
          fmt::format("queue '{}' and the queues below it would own {} {} of flavor {}, and own {} now; you may "
                      "share what it owns among them, and its parent's administrator may give it more",
                      top, format_amount(kind, now), to_string(kind), flavor, format_amount(kind, old)));
    }
  }
  return {};
}

}  // namespace

Result<void> check_quota_growth(const Tables& tables, const Access& access, const ApplyQueues& command) {
  if (allows(access, Permission::queues_edit, {})) return {};
  Queues after = tables.queues;
  for (const Queue& queue : command.queues) after.insert_or_assign(queue.name, queue);
  const QueueTree tree(after);
  std::map<std::string, Owned> owned;  // before the change, by the topmost queue
  for (const Queue& queue : command.queues) {
    const auto top = top_of(tree, access, queue.parent);
    const auto [around, is_new] = owned.try_emplace(top);
    if (is_new) around->second = owned_within(tables.queues, access.rules->queues(), top);
    const auto before = tables.queues.find(queue.name);
    const Queue* present = before == tables.queues.end() ? nullptr : &before->second;
    if (auto checked = check_opened(queue, present, around->second); !checked) return checked;
  }
  for (const auto& [top, before] : owned)
    if (auto checked = check_sums(top, before, owned_within(after, tree, top)); !checked) return checked;
  return {};
}

}  // namespace ym
