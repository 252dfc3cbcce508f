// The reading half of FakeService.
#include "api/testing/fake_service.h"

namespace ym::testing {

Result<Caller> FakeService::authenticate(const Secret& token) {
  if (token.reveal() == kAdminToken) return Caller{"ada", "admin"};
  if (token.reveal() == kUserToken) return Caller{"bob", "user"};
  if (token.reveal() == kViewerToken) return Caller{"eye", "viewer"};
  const auto attempt = token.reveal().starts_with("ymj.") ? parse_token(token.reveal().substr(4)) : std::nullopt;
  if (attempt) return Caller{"ada", "job", attempt->key()};
  return fail(ErrorCode::unauthenticated, "the token is not known");
}

Result<JobId> FakeService::resolve(const Caller& caller, std::string_view id_or_name) {
  const std::lock_guard lock(mutex_);
  const auto id = parse_job_id(id_or_name);
  if (id && jobs_.contains(*id)) return *id;
  for (auto it = jobs_.rbegin(); it != jobs_.rend(); ++it) {
    const Job& job = it->second.job;
    if (job.group && to_string(*job.group) == id_or_name) return fail(ErrorCode::ambiguous, "that is an array");
    if (job.owner != caller.principal || is_terminal(job.state)) continue;
    if (job.name == id_or_name) return job.id;
    if (job.group && job.spec->name == id_or_name) return fail(ErrorCode::ambiguous, "that is the name of an array");
  }
  return fail(ErrorCode::not_found, fmt::format("there is no job '{}'", id_or_name));
}

Result<GroupId> FakeService::resolve_group(const Caller& caller, std::string_view id_or_name) {
  const std::lock_guard lock(mutex_);
  for (auto it = jobs_.rbegin(); it != jobs_.rend(); ++it) {
    const Job& job = it->second.job;
    if (!job.group || job.owner != caller.principal) continue;
    if (to_string(*job.group) == id_or_name || job.spec->name == id_or_name) return *job.group;
  }
  return fail(ErrorCode::not_found, fmt::format("there is no array '{}'", id_or_name));
}

Result<JobView> FakeService::job(JobId id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return fail(ErrorCode::not_found, "there is no such job");
  return found->second.view();
}

bool FakeService::matches(const JobFilter& filter, const Job& job) const {
  const auto fits = [](const std::optional<std::string>& wanted, const std::string& has) {
    return !wanted || *wanted == has;
  };
  if (filter.before && job.id >= *filter.before) return false;
  if (filter.group && job.group != filter.group) return false;
  if (!filter.states.empty() && std::ranges::find(filter.states, job.state) == filter.states.end()) return false;
  return fits(filter.owner, job.owner) && fits(filter.queue, job.queue) && fits(filter.name, job.name) &&
         fits(filter.project, job.project);
}

Result<JobPage> FakeService::jobs(const JobFilter& filter, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  JobPage page{.as_of = last_seq_};
  for (auto it = jobs_.rbegin(); it != jobs_.rend(); ++it) {
    if (!matches(filter, it->second.job)) continue;
    if (page.items.size() == limit) {
      page.next = page.items.back().job->id;
      break;
    }
    page.items.push_back(it->second.view());
  }
  return page;
}

// Who waits would start if there is any change.
void FakeService::compare(engine::PolicyChange change, CompareReply reply) {
  engine::PolicyDiff diff{.as_of = now()};
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, view] : jobs_)
      if (view.job.state == JobState::queued) diff.starts.push_back(id);
  }
  diff.waiting = diff.starts.size();
  if (change.queues.empty() && !change.settings) diff.starts.clear();
  reply(std::move(diff));
}

Result<Explanation> FakeService::why(JobId id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return fail(ErrorCode::not_found, "there is no such job");
  const Job& job = found->second.job;
  Explanation explanation = job.pending ? explanation_.value_or(Explanation{}) : Explanation{};
  explanation.state = job.state;
  explanation.message = job.message;
  return explanation;
}

Result<EventPage> FakeService::events(const EventFilter& filter, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  EventPage page{.as_of = last_seq_};
  for (const auto& event : events_) {
    if (event.seq <= std::max(filter.after, forgotten_)) continue;
    if (filter.job && job_of(event.payload) != filter.job) continue;
    if (page.items.size() == limit) {
      page.more = true;
      break;
    }
    page.items.push_back(event);
  }
  return page;
}

Result<std::optional<Notice>> FakeService::notice(AttemptKey attempt) {
  const std::lock_guard lock(mutex_);
  ++notices_asked_;
  if (find_attempt(attempt) == nullptr) return fail(ErrorCode::not_found, "there is no such attempt");
  const auto found = notices_.find(attempt);
  return found == notices_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<QueueView> FakeService::queues() {
  const std::lock_guard lock(mutex_);
  std::vector<QueueView> views;
  for (const auto& [name, queue] : queues_) {
    QueueView view{.queue = queue};
    for (const auto& usage : usage_) {
      if (usage.queue == name) view.usage.push_back(usage);
    }
    for (const auto& [id, job] : jobs_) {
      if (job.job.queue != name) continue;
      view.queued += job.job.state == JobState::queued ? 1 : 0;
      view.held += job.job.state == JobState::held ? 1 : 0;
      view.active += is_active(job.job.state) ? 1 : 0;
    }
    views.push_back(std::move(view));
  }
  return views;
}

PolicyView FakeService::policy() {
  const std::lock_guard lock(mutex_);
  return policy_;
}

std::vector<AdvanceReservation> FakeService::reservations() {
  const std::lock_guard lock(mutex_);
  std::vector<AdvanceReservation> rows;
  for (const auto& [name, row] : reservations_) rows.push_back(row);
  return rows;
}

std::vector<NodeView> FakeService::nodes() {
  const std::lock_guard lock(mutex_);
  std::vector<NodeView> views;
  for (const auto& [name, node] : nodes_) {
    NodeView view{.node = node};
    for (const auto& device : node.devices) {
      DeviceUse use{.device = device.id};
      for (const auto& [id, job] : jobs_) {
        if (job.attempts.empty() || job.attempts.back().state == AttemptState::ended) continue;
        for (const auto& task : job.attempts.back().placement) {
          const bool here = task.node == name && std::ranges::find(task.devices, device.id) != task.devices.end();
          if (here) use.attempts.push_back(job.attempts.back().key());
        }
      }
      view.devices.push_back(std::move(use));
    }
    views.push_back(std::move(view));
  }
  return views;
}

void FakeService::set_task_link(AttemptKey attempt, TaskLink& link) {
  const std::lock_guard lock(mutex_);
  link_ = &link;
  link_of_ = attempt;
}

Result<TaskLink*> FakeService::task_link(AttemptKey attempt) {
  const std::lock_guard lock(mutex_);
  if (link_ == nullptr || link_of_ != attempt) return fail(ErrorCode::not_found, "nothing of it runs elsewhere");
  return link_;
}

std::shared_ptr<void> FakeService::listen(EventListener listener) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t key = next_listener_++;
  listeners_[key] = std::make_shared<EventListener>(std::move(listener));
  return {nullptr, [this, key](std::nullptr_t) {
            const std::lock_guard guard(mutex_);
            listeners_.erase(key);
          }};
}

std::uint64_t FakeService::last_seq() {
  const std::lock_guard lock(mutex_);
  return last_seq_;
}

Counters FakeService::counters() {
  const std::lock_guard lock(mutex_);
  return counters_;
}

std::optional<std::string> FakeService::not_ready() {
  const std::lock_guard lock(mutex_);
  return not_ready_;
}

Instant FakeService::now() { return Instant{1'790'000'000'000}; }

}  // namespace ym::testing
