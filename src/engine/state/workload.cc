#include "engine/state/workload.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "base/assert.h"

namespace ym::engine {

namespace {

template <class Key>
void add_to(std::map<Key, std::int64_t>& counts, const Key& key, std::int64_t more) {
  const auto found = counts.try_emplace(key, 0).first;
  found->second += more;
  YM_ASSERT(found->second >= 0);
  if (found->second == 0) counts.erase(found);
}

}  // namespace

void Workload::add(RuleIndex rule, const NodeNeed& need, std::int64_t tasks) {
  add_to(tasks_, need, tasks);
  if (need.profile == kNone) add_to(gpus_, rule, tasks * (need.devices * kMilli + need.part.milli));
}

std::vector<TaskType> Workload::types(const Names<ProfileIndex>& profile_names) const {
  std::vector<TaskType> types;
  std::int64_t all = 0;
  for (const auto& [need, tasks] : tasks_) {
    if (!need.asks_for_devices()) continue;
    types.push_back({.need = need, .tasks = tasks});
    all += tasks;
  }
  const auto more = [&](const TaskType& a, const TaskType& b) {
    const NodeNeed &x = a.need, &y = b.need;
    const auto profile = [&](const NodeNeed& need) -> std::string_view {
      return need.profile == kNone ? std::string_view() : profile_names[need.profile];
    };
    const auto amounts = std::tuple(a.tasks, x.devices, x.cpus, x.memory, x.part) <=>
                         std::tuple(b.tasks, y.devices, y.cpus, y.memory, y.part);
    return amounts != 0 ? amounts > 0 : profile(x) < profile(y);
  };
  const auto most = types.begin() + static_cast<std::ptrdiff_t>(std::min(types.size(), kMostTypes));
  std::ranges::partial_sort(types, most, more);
  std::int64_t covered = 0;
  const auto enough = std::find_if(types.begin(), most, [&](const TaskType& type) {
    const bool done = covered * 100 >= all * kCoveredPercent;
    covered += type.tasks;
    return done;
  });
  types.erase(enough, types.end());
  return types;
}

}  // namespace ym::engine
