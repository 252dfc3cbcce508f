#include "engine/state/live.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::engine {

void LiveTable::add(JobId job, LiveAttempt attempt) {
  for (Index i = 0; i < attempt.tasks.size(); ++i) {
    const Index node = attempt.tasks[i].node;
    if (by_node_.size() <= node) by_node_.resize(node + 1);
    const LiveRef ref{.job = job, .task = i};
    by_node_[node].insert(std::ranges::lower_bound(by_node_[node], ref), ref);
  }
  const bool fresh = attempts_.emplace(job, std::move(attempt)).second;
  YM_ASSERT(fresh);
}

LiveAttempt LiveTable::remove(JobId job) {
  const auto it = attempts_.find(job);
  YM_ASSERT(it != attempts_.end());
  LiveAttempt gone = std::move(it->second);
  attempts_.erase(it);
  for (Index i = 0; i < gone.tasks.size(); ++i) {
    auto& here = by_node_[gone.tasks[i].node];
    here.erase(std::ranges::lower_bound(here, LiveRef{.job = job, .task = i}));
  }
  return gone;
}

const LiveAttempt* LiveTable::find(JobId job) const {
  const auto it = attempts_.find(job);
  return it == attempts_.end() ? nullptr : &it->second;
}

LiveTask& LiveTable::task(const LiveRef& ref) {
  const auto it = attempts_.find(ref.job);
  YM_ASSERT(it != attempts_.end());
  return it->second.tasks.at(ref.task);
}

std::span<const LiveRef> LiveTable::on_node(Index node) const {
  if (node >= by_node_.size()) return {};
  return by_node_[node];
}

}  // namespace ym::engine
