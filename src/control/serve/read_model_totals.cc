// ReadModel: totals over all queues and nodes, and numbers for metrics.
#include <algorithm>
#include <mutex>
#include <tuple>

#include "control/serve/read_model.h"
#include "model/risk.h"

namespace ym {

std::vector<QueueView> ReadModel::queues(const std::vector<engine::QueueUsage>& usage) const {
  const std::shared_lock lock(mutex_);
  std::map<std::string, QueueView> views;
  for (const auto& [name, queue] : queues_) views[name].queue = queue;
  for (const auto& use : usage)
    if (const auto it = views.find(use.queue); it != views.end()) it->second.usage.push_back(use);
  for (const auto& [key, count] : counters_.jobs) {
    const auto it = views.find(key.second);
    if (it == views.end()) continue;
    auto& view = it->second;
    (key.first == JobState::held ? view.held : is_active(key.first) ? view.active : view.queued) += count;
  }
  add_usage(views);
  std::vector<QueueView> list;
  for (auto& [name, view] : views) list.push_back(std::move(view));
  return list;
}

void ReadModel::add_usage(std::map<std::string, QueueView>& views) const {
  for (const auto& [name, row] : usage_)
    for (const FlavorUsage& one : row.flavors) {
      const ResourceVector used = coarse(one.decayed);
      const auto own = views.find(row.queue);
      if (own != views.end()) own->second.users.push_back({.user = row.user, .flavor = one.flavor, .lately = used});
      // Bounds the steps, because queues in a cycle have no top.
      std::size_t steps = 0;
      for (auto at = own; at != views.end() && steps <= views.size(); at = views.find(at->second.queue.parent), ++steps)
        at->second.lately[one.flavor] += used;
    }
  for (auto& [name, view] : views)
    std::ranges::sort(view.users, {}, [](const UserUsage& one) {
      return std::tuple(-one.lately[ResourceKind::gpus], -one.lately[ResourceKind::cpus], one.user, one.flavor);
    });
}

std::vector<AdvanceReservation> ReadModel::reservations() const {
  const std::shared_lock lock(mutex_);
  std::vector<AdvanceReservation> rows;
  for (const auto& [name, row] : reservations_) rows.push_back(row);
  return rows;
}

std::optional<Duration> ReadModel::promised_wait_of(const Job& job) const {
  const std::shared_lock lock(mutex_);
  return promised(job);
}

std::vector<NodeView> ReadModel::nodes() const {
  const std::shared_lock lock(mutex_);
  std::map<std::string, NodeView> views;
  for (const auto& [name, node] : nodes_) {
    NodeView view{.node = node};
    for (const auto& device : node.devices) view.devices.push_back({.device = device.id});
    views.emplace(name, std::move(view));
  }
  for (const auto& [key, attempt] : live_attempts_) {
    const JobSpec& spec = *jobs_.at(key.job).job->spec;
    for (const auto& task : attempt.placement) {
      const auto it = views.find(task.node);
      if (it == views.end()) continue;
      it->second.used += spec.resources_of(task.task).vector();
      for (auto& use : it->second.devices)
        if (std::ranges::find(task.devices, use.device) != task.devices.end()) use.attempts.push_back(key);
    }
  }
  std::vector<NodeView> list;
  for (auto& [name, view] : views) list.push_back(std::move(view));
  return list;
}

Counters ReadModel::counters(Instant now) const {
  const std::shared_lock lock(mutex_);
  Counters counters = counters_;
  for (const auto& [key, attempt] : live_attempts_) {
    if (!attempt.started_at) continue;
    const Job& job = jobs_.at(key.job).job;
    counters.at_risk_gpu_ms[job.queue] += gpu_ms_at_risk(job, attempt, now);
  }
  for (const auto& [name, queue] : queues_)
    for (const auto cause : values_of<PreemptionCause>()) counters.preemptions.try_emplace({name, cause}, 0);
  for (const auto& [name, queue] : queues_)
    if (!queue.wait_promises.empty()) counters.overdue_waits[name] = 0;
  if (!counters.overdue_waits.empty())
    for (const auto& [id, view] : jobs_) {
      const auto within = view.job->state == JobState::queued ? promised(view.job) : std::nullopt;
      if (within && now > view.job->waits_since + *within) counters.overdue_waits[view.job->queue] += 1;
    }
  for (const auto& [key, since] : contacts_.lost_since()) {
    auto& longest = counters.unreachable_ms[jobs_.at(key.job).job->queue];
    longest = std::max(longest, (now - since).ms);
  }
  return counters;
}

PolicyView ReadModel::policy() const {
  const std::shared_lock lock(mutex_);
  return policy_;
}

void ReadModel::set_file_policy(const PolicySettings& settings) {
  const std::unique_lock lock(mutex_);
  policy_.file = settings;
}

}  // namespace ym
