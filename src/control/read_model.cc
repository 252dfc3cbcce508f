#include "control/read_model.h"

#include <algorithm>
#include <mutex>

#include "control/policy.h"

namespace ym {
namespace {

std::shared_ptr<const JobView> make_view(const Job& job, const Tables& tables) {
  auto view = std::make_shared<JobView>(JobView{.job = job});
  // They are numbered from 1 without gaps.
  const auto first = std::max(0, job.attempts - static_cast<std::int32_t>(ReadModel::kKeptAttempts));
  for (auto it = tables.attempts.upper_bound({job.id, first}); it != tables.attempts.end(); ++it) {
    if (it->first.job != job.id) break;
    view->attempts.push_back(it->second);
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
  jobs_.clear();
  by_name_.clear();
  live_attempts_.clear();
  counters_.jobs.clear();
  counters_.unadmitted.clear();
  queues_ = tables.queues;
  nodes_ = tables.nodes;
  reservations_ = tables.reservations;
  policy_.set = set_settings(tables);
  usage_ = tables.usage;
  for (const auto& [id, job] : tables.jobs)
    if (!is_terminal(job.state)) refresh(id, tables);
  contacts_.reset(tables);
  last_seq_ = tables.last_seq;
}

void ReadModel::publish(const Committed& committed, const Tables& tables) {
  const std::unique_lock lock(mutex_);
  for (const auto& event : *committed.events) {
    follow(event, tables);
    contacts_.follow(event);
  }
  for (const auto id : committed.finished) drop(id);
  last_seq_ = committed.events->back().seq;
  counters_.commits += 1;
  counters_.events += static_cast<std::int64_t>(committed.events->size());
}

// The tables are already as of the whole commit, so a job is read once however many of
// its events there are: later ones find the same row.
void ReadModel::follow(const Event& event, const Tables& tables) {
  if (const auto job = job_of(event.payload)) {
    if (tables.jobs.contains(*job)) refresh(*job, tables);
    if (std::holds_alternative<AttemptAdmitted>(event.payload)) count_admission(*job, event.time);
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) {
      counters_.finished[std::string(to_string(finished->state))] += 1;
      count_deadline(*finished, event.time);
    }
    if (const auto* stopping = std::get_if<AttemptStopping>(&event.payload)) count_preemption(*stopping);
    return;
  }
  if (const auto* set = std::get_if<QueueSet>(&event.payload)) queues_[set->queue.name] = set->queue;
  else if (const auto* gone = std::get_if<QueueRemoved>(&event.payload)) queues_.erase(gone->name);
  else if (std::holds_alternative<UsageSampled>(event.payload)) usage_ = tables.usage;
  else if (const auto* node = std::get_if<NodeSet>(&event.payload)) nodes_[node->node.name] = node->node;
  else if (const auto* lost = std::get_if<NodeRemoved>(&event.payload)) nodes_.erase(lost->name);
  else if (const auto* made = std::get_if<ReservationSet>(&event.payload))
    reservations_[made->reservation.name] = made->reservation;
  else if (const auto* over = std::get_if<ReservationRemoved>(&event.payload)) reservations_.erase(over->name);
  else if (const auto* policy = std::get_if<PolicySet>(&event.payload)) policy_.set = policy->policy.settings;
  else if (std::holds_alternative<PolicyRemoved>(event.payload)) policy_.set = {};
}

bool ReadModel::is_drained(std::string queue) const {
  for (std::size_t steps = 0; queues_.contains(queue) && steps <= queues_.size(); ++steps) {
    if (queues_.at(queue).stop == StopPolicy::hold_and_drain) return true;
    queue = queues_.at(queue).parent;
  }
  return false;
}

// For nobody: it goes on with more nodes, its queue is drained, or its quota was made smaller. Within a queue it is by
// priority; another queue can only take back what it lent, or borrow what is lent.
void ReadModel::count_preemption(const AttemptStopping& stopping) {
  const auto victim = jobs_.find(stopping.attempt.job);
  if (stopping.cause != StopCause::preemption || victim == jobs_.end()) return;
  const auto& queue = victim->second->job.queue;
  const auto preemptor = stopping.yields_to ? jobs_.find(*stopping.yields_to) : jobs_.end();
  const bool other = preemptor != jobs_.end() && preemptor->second->job.queue != queue;
  const auto attempt = live_attempts_.find(stopping.attempt);
  const bool grows =
      attempt != live_attempts_.end() && std::cmp_greater(stopping.resizes_to, attempt->second.placement.size());
  const std::string for_nobody = is_drained(queue) ? "drain" : grows ? "resize" : "shrink";
  const std::string cause = !stopping.yields_to ? for_nobody
                            : stopping.moves    ? "consolidation"
                            : stopping.borrowed ? "borrow"
                            : other             ? "reclaim"
                                                : "priority";
  counters_.preemptions[{queue, cause}] += 1;
  counters_.lost_gpu_ms[cause] += stopping.lost_gpu_ms;
}

void ReadModel::count_deadline(const JobFinished& finished, Instant now) {
  const auto it = jobs_.find(finished.job);
  if (it == jobs_.end() || finished.state == JobState::cancelled) return;
  const Job& job = it->second->job;
  const auto& deadline = job.spec->deadline;
  if (deadline) counters_.deadlines[{job.queue, finished.state == JobState::succeeded && now <= *deadline}] += 1;
}

std::optional<Duration> ReadModel::promised(const Job& job) const {
  const auto queue = queues_.find(job.queue);
  return queue == queues_.end() ? std::nullopt : promised_wait(queue->second, job.priority);
}

void ReadModel::count_admission(JobId id, Instant now) {
  counters_.attempts += 1;
  const auto it = jobs_.find(id);
  if (it == jobs_.end()) return;
  const Job& job = it->second->job;
  // In the same commit it may have been requeued already.
  const Duration waited = std::max(Duration{0}, now - job.waits_since);
  counters_.admission_waits[job.queue].add(static_cast<double>(waited.ms) / 1000);
  if (const auto within = promised(job)) counters_.wait_promises[{job.queue, waited <= *within}] += 1;
}

// A job keeps its name and its owner.
void ReadModel::refresh(JobId id, const Tables& tables) {
  auto view = make_view(tables.jobs.at(id), tables);
  auto& shown = jobs_[id];
  if (!shown) by_name_[view->job.name].emplace(id, view->job.owner);
  if (!shown || !counts_alike(shown->job, view->job)) {
    if (shown) count(*shown, -1);
    count(*view, 1);
  }
  if (shown)
    for (const auto& attempt : shown->attempts) live_attempts_.erase(attempt.key());
  for (const auto& attempt : view->attempts)
    if (attempt.state != AttemptState::ended) live_attempts_[attempt.key()] = attempt;
  shown = std::move(view);
}

void ReadModel::drop(JobId id) {
  const auto it = jobs_.find(id);
  if (it == jobs_.end()) return;
  const JobView& view = *it->second;
  count(view, -1);
  for (const auto& attempt : view.attempts) live_attempts_.erase(attempt.key());
  const auto named = by_name_.find(view.job.name);
  named->second.erase(id);
  if (named->second.empty()) by_name_.erase(named);
  jobs_.erase(it);
}

void ReadModel::count(const JobView& view, std::int64_t change) {
  counters_.jobs[{view.job.state, view.job.queue}] += change;
  if (view.job.pending) {
    counters_.unadmitted[{view.job.queue, std::string(to_string(*view.job.pending))}] += change;
  }
}

std::shared_ptr<const JobView> ReadModel::job(JobId id) const {
  const std::shared_lock lock(mutex_);
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : it->second;
}

ReadModel::Live ReadModel::jobs(const JobFilter& filter, std::size_t limit) const {
  const std::shared_lock lock(mutex_);
  Live live{.as_of = last_seq_};
  const auto end = filter.before ? jobs_.lower_bound(*filter.before) : jobs_.end();
  for (auto it = std::make_reverse_iterator(end); it != jobs_.rend() && live.jobs.size() < limit; ++it)
    if (matches(filter, it->second->job)) live.jobs.push_back(it->second);
  return live;
}

ReadModel::Queued ReadModel::queued(std::span<const engine::Verdict> of, std::size_t shown) const {
  const std::shared_lock lock(mutex_);
  Queued queued;
  for (const auto& verdict : of) {
    const auto it = jobs_.find(verdict.job);
    if (it == jobs_.end() || it->second->job.state != JobState::queued) continue;
    queued.total += 1;
    if (queued.first.size() < shown) queued.first.push_back(it->second);
  }
  return queued;
}

std::optional<JobId> ReadModel::newest_named(const std::string& owner, const std::string& name) const {
  const std::shared_lock lock(mutex_);
  const auto named = by_name_.find(name);
  if (named == by_name_.end()) return std::nullopt;
  for (auto it = named->second.rbegin(); it != named->second.rend(); ++it)
    if (it->second == owner) return it->first;
  return std::nullopt;
}

// Members are called NAME-INDEX; but so may others be.
std::optional<GroupId> ReadModel::newest_array(const std::string& owner, const std::string& name) const {
  const std::shared_lock lock(mutex_);
  std::optional<GroupId> newest;
  const auto prefix = name + "-";
  for (auto it = by_name_.lower_bound(prefix); it != by_name_.end() && it->first.starts_with(prefix); ++it) {
    for (const auto& [id, its_owner] : it->second) {
      const Job& job = jobs_.at(id)->job;
      if (its_owner == owner && job.group && job.spec->name == name) newest = std::max(newest, job.group);
    }
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
