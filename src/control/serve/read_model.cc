#include "control/serve/read_model.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "control/access/access_rules.h"
#include "control/site/policy.h"
#include "model/risk.h"

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
  history_segments_ = tables.history_segments;
  erasures_ = tables.erasures;
  policy_.set = set_settings(tables);
  policy_changed();
  usage_ = tables.usage;
  for (const auto& [id, job] : tables.jobs)
    if (!is_terminal(job.state)) refresh(id, tables);
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.preemption && jobs_.contains(key.job)) preemptions_.emplace(key, *attempt.preemption);
  contacts_.reset(tables);
  last_seq_ = tables.last_seq;
}

// Follows one event. The tables and jobs_ already have the whole commit. Every event of a job refreshes that job before
// this. Events that are about no job, and tables, have an overload each: without it a new one does not compile.
struct ReadModel::Follow {
  template <class Row>
  static constexpr bool kIsOfOthers = kMakesRules<Row> || std::is_same_v<Row, AccessToken> ||
                                      std::is_same_v<Row, Cluster> || std::is_same_v<Row, Flavor>;

  ReadModel& model;
  const Tables& tables;
  Instant time;

  // Nothing but its job changes.
  template <class Payload>
    requires AboutJob<Payload> || AboutAttempt<Payload>
  void operator()(const Payload&) const {}
  void operator()(const JobSubmitted&) const {}
  void operator()(const AttemptAdmitted& e) const { model.count_admission(e.attempt.job, time); }
  void operator()(const AttemptStopping& e) const { model.count_preemption(e); }
  void operator()(const AttemptEnded& e) const {
    if (e.lost_gpu_ms) lose(e.attempt, e.by, *e.lost_gpu_ms);
  }
  void operator()(const CheckpointSkipped& e) const {
    for (const FurtherLoss& more : e.further_losses) lose({e.job, more.attempt}, {}, more.gpu_ms);
  }
  void operator()(const JobFinished& e) const {
    model.counters_.finished[std::string(to_string(e.state))] += 1;
    model.count_deadline(e, time);
  }

  template <class Row>
  void operator()(const RowSet<Row>& e) const {
    set(e.row);
  }
  template <class Row>
  void operator()(const RowRemoved<Row>& e) const {
    remove(std::type_identity<Row>(), e.name);
  }
  void operator()(const UsageSampled&) const { model.usage_ = tables.usage; }
  void operator()(const ServerStarted&) const {}
  void operator()(const RequestAudited&) const {}
  void operator()(const LogSealed&) const {}
  void operator()(const NodesWanted&) const {}

 private:
  void lose(AttemptKey key, std::optional<EndedBy> by, std::int64_t gpu_ms) const {
    if (const auto it = tables.attempts.find(key); !by && it != tables.attempts.end()) by = it->second.ended_by;
    model.counters_.lost_gpu_ms[model.cause_of_loss(key, by.value_or(EndedBy::exit))] += gpu_ms;
  }

  void set_policy(const PolicySettings& settings) const {
    model.policy_.set = settings;
    model.policy_changed();
  }
  void set(const Queue& row) const { model.queues_[row.name] = row; }
  void set(const Node& row) const { model.nodes_[row.name] = row; }
  void set(const AdvanceReservation& row) const { model.reservations_[row.name] = row; }
  void set(const PolicyRow& row) const { set_policy(row.settings); }
  // No query is about these, or they are AccessBook's.
  template <class Row>
    requires kIsOfOthers<Row>
  void set(const Row&) const {}
  void set(const HistorySegment& row) const { model.history_segments_[row.name] = row; }
  void set(const Erasure& row) const { model.erasures_[row.name] = row; }

  void remove(std::type_identity<Queue>, const std::string& name) const { model.queues_.erase(name); }
  void remove(std::type_identity<Node>, const std::string& name) const { model.nodes_.erase(name); }
  void remove(std::type_identity<AdvanceReservation>, const auto& name) const { model.reservations_.erase(name); }
  void remove(std::type_identity<PolicyRow>, const std::string&) const { set_policy({}); }
  template <class Row>
    requires kIsOfOthers<Row>
  void remove(std::type_identity<Row>, const std::string&) const {}
  void remove(std::type_identity<HistorySegment>, const auto& name) const { model.history_segments_.erase(name); }
  void remove(std::type_identity<Erasure>, const std::string& name) const { model.erasures_.erase(name); }
};

void ReadModel::publish(const Committed& committed, const Tables& tables) {
  const std::unique_lock lock(mutex_);
  std::set<JobId> changed;
  for (const auto& event : *committed.events)
    if (const auto job = job_of(event.payload); job && tables.jobs.contains(*job)) changed.insert(*job);
  for (const JobId job : changed) refresh(job, tables);
  for (const auto& event : *committed.events) {
    std::visit(Follow{*this, tables, event.time}, event.payload);
    contacts_.follow(event);
  }
  for (const auto id : committed.finished) drop(id);
  last_seq_ = committed.events->back().seq;
  counters_.commits += 1;
  counters_.events += static_cast<std::int64_t>(committed.events->size());
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

void ReadModel::count(const JobView& view, std::int64_t change) {
  counters_.jobs[{view.job->state, view.job->queue}] += change;
  if (view.job->pending) {
    counters_.unadmitted[{view.job->queue, std::string(to_string(*view.job->pending))}] += change;
  }
}

void ReadModel::count_preemption(const AttemptStopping& stopping) {
  const auto preempted = jobs_.find(stopping.attempt.job);
  if (!stopping.preemption || preempted == jobs_.end()) return;
  counters_.preemptions[{preempted->second.job->queue, *stopping.preemption}] += 1;
  counters_.estimated_lost_gpu_ms[*stopping.preemption] += stopping.estimated_lost_gpu_ms;
  preemptions_.try_emplace(stopping.attempt, *stopping.preemption);
}

LossCause ReadModel::cause_of_loss(AttemptKey key, EndedBy by) const {
  if (const auto preempted = preemptions_.find(key); preempted != preemptions_.end()) return preempted->second;
  const bool failed_by_itself = by != EndedBy::lost && by != EndedBy::start_failed && by != EndedBy::preempted;
  return failed_by_itself ? RetryCause::error : RetryCause::infra;
}

void ReadModel::count_deadline(const JobFinished& finished, Instant now) {
  const auto it = jobs_.find(finished.job);
  if (it == jobs_.end() || finished.state == JobState::cancelled) return;
  const Job& job = it->second.job;
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
  const Job& job = it->second.job;
  // The same commit may have requeued the job already.
  const Duration waited = std::max(Duration{0}, now - job.waits_since);
  counters_.admission_waits[job.queue].add(static_cast<double>(waited.ms) / 1000);
  if (const auto within = promised(job)) counters_.wait_promises[{job.queue, waited <= *within}] += 1;
}

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
      if (own != views.end())
        own->second.users.push_back({.user = row.user, .flavor = one.flavor, .decayed_usage = used});
      // Bounds the steps, because queues in a cycle have no top.
      std::size_t steps = 0;
      for (auto at = own; at != views.end() && steps <= views.size(); at = views.find(at->second.queue.parent), ++steps)
        at->second.decayed_usage[one.flavor] += used;
    }
  for (auto& [name, view] : views)
    std::ranges::sort(view.users, {}, [](const UserUsage& one) {
      return std::tuple(-one.decayed_usage[ResourceKind::gpus], -one.decayed_usage[ResourceKind::cpus], one.user,
                        one.flavor);
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
  policy_changed();
}

}  // namespace ym
