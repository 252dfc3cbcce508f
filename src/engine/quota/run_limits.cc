#include "engine/quota/run_limits.h"

#include <algorithm>

namespace ym::engine {
namespace {

bool is_limit(const RunLimit& limit) { return limit.jobs || limit.gpus_milli; }

}  // namespace

void RunLimits::rebuild(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names) {
  any_ = false;
  for (Array& array : arrays_) array.use = 0;
  nodes_.assign(queue_names.size(), {});
  for (const auto& [name, row] : rows) {
    Node& node = nodes_[queue_names.find(name)];
    node.parent = row.parent.empty() ? QueueIndex{} : queue_names.find(row.parent);
    node.all = row.run_limit;
    node.user = row.user_run_limit;
    any_ = any_ || is_limit(node.all) || is_limit(node.user);
  }
}

ArrayIndex RunLimits::acquire_array(GroupId group, std::int32_t most) {
  const auto [known, is_new] = array_indices_.emplace(group, kNone);
  if (is_new) {
    const auto free = std::ranges::find(arrays_, std::size_t{0}, &Array::members);
    known->second = static_cast<ArrayIndex>(free - arrays_.begin());
    if (free == arrays_.end()) arrays_.emplace_back();
    arrays_[known->second] = {.group = group, .most = most};
  }
  arrays_[known->second].members += 1;
  return known->second;
}

void RunLimits::release_array(ArrayIndex array) {
  Array& one = arrays_[array];
  one.members -= 1;
  if (one.members == 0) array_indices_.erase(one.group);
}

// Going up in a loop of queues does not end. No job starts there, but some may still run.
void RunLimits::change(QueueIndex queue, UserIndex user, std::int64_t jobs, std::int64_t gpus) {
  if (!any_) return;
  for (std::size_t steps = 0; nodes_.has(queue) && steps < nodes_.size(); ++steps, queue = nodes_[queue].parent) {
    Node& node = nodes_[queue];
    node.use.jobs += jobs;
    node.use.gpus += gpus;
    if (!is_limit(node.user)) continue;
    Use& own = node.by_user[user];
    own.jobs += jobs;
    own.gpus += gpus;
    if (own.jobs == 0) node.by_user.erase(user);
  }
}

std::optional<LimitHit> RunLimits::hit(const Node& node, UserIndex user, bool of_user, std::int64_t gpus_milli,
                                       JobCount job) {
  const RunLimit& limit = of_user ? node.user : node.all;
  const auto own = node.by_user.find(user);
  const Use use = !of_user ? node.use : own == node.by_user.end() ? Use{} : own->second;
  if (job == JobCount::fresh && limit.jobs && use.jobs >= *limit.jobs)
    return LimitHit{.of_user = of_user, .most = *limit.jobs, .used = use.jobs, .needed = 1};
  if (limit.gpus_milli && gpus_milli > 0 && use.gpus + gpus_milli > *limit.gpus_milli)
    return LimitHit{
        .of_user = of_user, .of_gpus = true, .most = *limit.gpus_milli, .used = use.gpus, .needed = gpus_milli};
  return std::nullopt;
}

std::optional<LimitHit> RunLimits::hit(QueueIndex queue, UserIndex user, std::int64_t gpus_milli, JobCount job) const {
  if (!any_) return std::nullopt;
  for (std::size_t steps = 0; nodes_.has(queue) && steps < nodes_.size(); ++steps, queue = nodes_[queue].parent)
    for (const bool of_user : {true, false})
      if (auto found = hit(nodes_[queue], user, of_user, gpus_milli, job)) {
        found->queue = queue;
        return found;
      }
  return std::nullopt;
}

}  // namespace ym::engine
