#include "engine/state/history.h"

#include <algorithm>

namespace ym::engine {
namespace {

template <class Item>
void remember(std::vector<Item>& items, const Item& item, std::size_t most) {
  items.insert(items.begin(), item);
  if (items.size() > most) items.resize(most);
}

}  // namespace

void History::load(const Job& job) {
  if (job.checkpoints.empty() && job.preempted_at.empty()) return;
  pasts_[job.id] = {.checkpoints = job.checkpoints, .preempted_at = job.preempted_at};
}

void History::saved(JobId job, const Checkpoint& checkpoint) {
  remember(pasts_[job].checkpoints, checkpoint, kKeptCheckpoints);
}

void History::skipped(JobId job, const Checkpoint& checkpoint) {
  if (const auto it = pasts_.find(job); it != pasts_.end()) std::erase(it->second.checkpoints, checkpoint);
}

void History::preempted(JobId job, Instant at) { remember(pasts_[job].preempted_at, at, kKeptPreemptions); }

std::optional<Instant> History::durable_at(JobId job, std::int32_t attempt) const {
  std::optional<Instant> newest;
  if (const auto it = pasts_.find(job); it != pasts_.end())
    for (const Checkpoint& checkpoint : it->second.checkpoints)
      if (checkpoint.attempt == attempt) newest = std::max(newest, std::optional(checkpoint.durable_at));
  return newest;
}

std::optional<Instant> History::nth_last_preemption(JobId job, std::int32_t n) const {
  const auto it = pasts_.find(job);
  const auto place = static_cast<std::size_t>(n - 1);
  if (it == pasts_.end() || place >= it->second.preempted_at.size()) return std::nullopt;
  return it->second.preempted_at[place];
}

}  // namespace ym::engine
