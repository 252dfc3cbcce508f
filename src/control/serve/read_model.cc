#include "control/serve/read_model.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "control/site/policy.h"

namespace ym {
namespace {

JobView make_view(JobId id, const Tables& tables) {
  JobView view{.job = tables.jobs.shared(id), .attempts = {}};
  // If their numbers have gaps, these are fewer.
  const auto first = std::max(0, view.job->attempts - static_cast<std::int32_t>(ReadModel::kKeptAttempts));
  for (auto it = tables.attempts.upper_bound({id, first}); it != tables.attempts.end(); ++it) {
    if (it->first.job != id) break;
    view.attempts.push_back(tables.attempts.shared(it));
  }
  return view;
}

bool counts_alike(const Job& a, const Job& b) {
  return a.state == b.state && a.queue == b.queue && a.pending == b.pending;
}

}  // namespace

bool matches(const JobFilter& filter, const Job& job) {
  if (filter.before && !(job.id < *filter.before)) return false;
  if (filter.owner && job.owner != *filter.owner) return false;
  if (filter.queue && job.queue != *filter.queue) return false;
  if (filter.name && job.name != *filter.name) return false;
  if (filter.project && job.project != *filter.project) return false;
  if (filter.group && job.group != filter.group) return false;
  return filter.states.empty() || std::ranges::find(filter.states, job.state) != filter.states.end();
}

void ReadModel::reset(const Tables& tables) {
  const std::unique_lock lock(mutex_);
  by_name_.clear();
  jobs_.clear();
  live_attempts_.clear();
  preemptions_.clear();
  counters_.jobs.clear();
  counters_.unadmitted.clear();
  queues_ = tables.queues;
  nodes_ = tables.nodes;
  reservations_ = tables.reservations;
  policy_.set = set_settings(tables);
  usage_ = tables.usage;
  for (const auto& [id, job] : tables.jobs)
    if (!is_terminal(job.state)) refresh(id, tables);
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.preemption && jobs_.contains(key.job)) preemptions_.emplace(key, *attempt.preemption);
  contacts_.reset(tables);
  last_seq_ = tables.last_seq;
}

void ReadModel::publish(const Committed& committed, const Tables& tables) {
  const std::unique_lock lock(mutex_);
  std::set<JobId> changed;
  for (const auto& event : *committed.events)
    if (const auto job = job_of(event.payload); job && tables.jobs.contains(*job)) changed.insert(*job);
  for (const JobId job : changed) refresh(job, tables);
  for (const auto& event : *committed.events) {
    follow(event, tables);
    contacts_.follow(event);
  }
  for (const auto id : committed.finished) drop(id);
  last_seq_ = committed.events->back().seq;
  counters_.commits += 1;
  counters_.events += static_cast<std::int64_t>(committed.events->size());
}

// The tables and jobs_ already have the whole commit.
void ReadModel::follow(const Event& event, const Tables& tables) {
  if (const auto job = job_of(event.payload)) {
    if (std::holds_alternative<AttemptAdmitted>(event.payload)) count_admission(*job, event.time);
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) {
      counters_.finished[std::string(to_string(finished->state))] += 1;
      count_deadline(*finished, event.time);
    }
    if (const auto* stopping = std::get_if<AttemptStopping>(&event.payload)) count_preemption(*stopping);
    count_losses(event.payload, tables);
    return;
  }
  if (const auto* set = std::get_if<QueueSet>(&event.payload)) queues_[set->row.name] = set->row;
  else if (const auto* gone = std::get_if<QueueRemoved>(&event.payload)) queues_.erase(gone->name);
  else if (std::holds_alternative<UsageSampled>(event.payload)) usage_ = tables.usage;
  else if (const auto* node = std::get_if<NodeSet>(&event.payload)) nodes_[node->row.name] = node->row;
  else if (const auto* lost = std::get_if<NodeRemoved>(&event.payload)) nodes_.erase(lost->name);
  else if (const auto* made = std::get_if<ReservationSet>(&event.payload)) reservations_[made->row.name] = made->row;
  else if (const auto* over = std::get_if<ReservationRemoved>(&event.payload)) reservations_.erase(over->name);
  else if (const auto* policy = std::get_if<PolicySet>(&event.payload)) policy_.set = policy->row.settings;
  else if (std::holds_alternative<PolicyRemoved>(event.payload)) policy_.set = {};
}

bool ReadModel::ByName::operator()(const Jobs::value_type* a, const Jobs::value_type* b) const {
  return std::tie(a->second.job->name, a->first) < std::tie(b->second.job->name, b->first);
}

void ReadModel::refresh(JobId id, const Tables& tables) {
  JobView view = make_view(id, tables);
  const auto it = jobs_.find(id);
  const bool is_new = it == jobs_.end();
  if (is_new || !counts_alike(it->second.job, view.job)) {
    if (!is_new) count(it->second, -1);
    count(view, 1);
  }
  if (!is_new)
    for (const Attempt& attempt : it->second.attempts) live_attempts_.erase(attempt.key());
  for (const auto& attempt : view.attempts)
    if (attempt->state != AttemptState::ended) live_attempts_.insert_or_assign(attempt->key(), attempt);
  if (is_new) by_name_.insert(&*jobs_.emplace(id, std::move(view)).first);
  else it->second = std::move(view);
}

void ReadModel::drop(JobId id) {
  const auto it = jobs_.find(id);
  if (it == jobs_.end()) return;
  const JobView& view = it->second;
  count(view, -1);
  for (const Attempt& attempt : view.attempts) live_attempts_.erase(attempt.key());
  preemptions_.erase(preemptions_.lower_bound({id, 0}), preemptions_.lower_bound({JobId{id.value + 1}, 0}));
  by_name_.erase(&*it);
  jobs_.erase(it);
}

bool ReadModel::lives(JobId id) const {
  const std::shared_lock lock(mutex_);
  return jobs_.contains(id);
}

std::optional<JobView> ReadModel::job(JobId id) const {
  const std::shared_lock lock(mutex_);
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? std::nullopt : std::optional(it->second);
}

ReadModel::Live ReadModel::jobs(const JobFilter& filter, std::size_t limit) const {
  const std::shared_lock lock(mutex_);
  Live live{.jobs = {}, .as_of = last_seq_};
  const auto end = filter.before ? jobs_.lower_bound(*filter.before) : jobs_.end();
  for (auto it = std::make_reverse_iterator(end); it != jobs_.rend() && live.jobs.size() < limit; ++it)
    if (matches(filter, it->second.job)) live.jobs.push_back(it->second);
  return live;
}

ReadModel::Queued ReadModel::queued(std::span<const engine::Verdict> of, std::size_t shown) const {
  const std::shared_lock lock(mutex_);
  Queued queued;
  for (const auto& verdict : of) {
    const auto it = jobs_.find(verdict.job);
    if (it == jobs_.end() || it->second.job->state != JobState::queued) continue;
    queued.total += 1;
    if (queued.first.size() < shown) queued.first.push_back(it->second);
  }
  return queued;
}

std::optional<JobId> ReadModel::newest_named(const std::string& owner, const std::string& name) const {
  const std::shared_lock lock(mutex_);
  std::optional<JobId> newest;
  for (auto it = by_name_.lower_bound(std::string_view(name)); it != by_name_.end(); ++it) {
    const Job& job = (*it)->second.job;
    if (job.name != name) break;
    if (job.owner == owner) newest = job.id;
  }
  return newest;
}

// Members are called NAME-INDEX, but other jobs may have such a name too.
std::optional<GroupId> ReadModel::newest_array(const std::string& owner, const std::string& name) const {
  const std::shared_lock lock(mutex_);
  std::optional<GroupId> newest;
  const auto prefix = name + "-";
  for (auto it = by_name_.lower_bound(std::string_view(prefix)); it != by_name_.end(); ++it) {
    const Job& job = (*it)->second.job;
    if (!job.name.starts_with(prefix)) break;
    if (job.owner == owner && job.group && job.spec->name == name) newest = std::max(newest, job.group);
  }
  return newest;
}

std::uint64_t ReadModel::last_seq() const {
  const std::shared_lock lock(mutex_);
  return last_seq_;
}

std::size_t ReadModel::live_jobs() const {
  const std::shared_lock lock(mutex_);
  return jobs_.size();
}

}  // namespace ym
