#include "engine/state/live.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::engine {

std::int64_t LiveAttempt::gpu_ms_until(Instant then) const {
  if (!started_at || then <= *started_at) return 0;
  const std::int64_t gpus = total()[ResourceKind::gpus];
  const std::int64_t gpus_milli = gpus == 0 ? kMilli * std::ssize(tasks) : gpus;
  return static_cast<std::int64_t>(static_cast<__int128>((then - *started_at).ms) * gpus_milli / kMilli);
}

template <class Entry>
void PlaceTable<Entry>::add(JobId job, Entry entry) {
  for (const TaskIndex task : entry.tasks.indices()) {
    const NodeIndex node = entry.tasks[task].node;
    by_node_.grow_to(node);
    const LiveRef ref{.job = job, .task = task};
    by_node_[node].insert(std::ranges::lower_bound(by_node_[node], ref), ref);
  }
  const bool fresh = entries_.emplace(job, std::move(entry)).second;
  YM_ASSERT(fresh);
}

template <class Entry>
Entry PlaceTable<Entry>::remove(JobId job) {
  const auto it = entries_.find(job);
  YM_ASSERT(it != entries_.end());
  Entry gone = std::move(it->second);
  entries_.erase(it);
  for (const TaskIndex task : gone.tasks.indices()) {
    auto& here = by_node_[gone.tasks[task].node];
    here.erase(std::ranges::lower_bound(here, LiveRef{.job = job, .task = task}));
  }
  return gone;
}

template <class Entry>
const Entry* PlaceTable<Entry>::find(JobId job) const {
  const auto it = entries_.find(job);
  return it == entries_.end() ? nullptr : &it->second;
}

template <class Entry>
Entry& PlaceTable<Entry>::at(JobId job) {
  const auto it = entries_.find(job);
  YM_ASSERT(it != entries_.end());
  return it->second;
}

template <class Entry>
std::span<const LiveRef> PlaceTable<Entry>::on_node(NodeIndex node) const {
  if (!by_node_.has(node)) return {};
  return by_node_[node];
}

template class PlaceTable<LiveAttempt>;
template class PlaceTable<Nomination>;

}  // namespace ym::engine
