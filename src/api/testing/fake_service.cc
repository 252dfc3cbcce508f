#include "api/testing/fake_service.h"

namespace ym::testing {
namespace {

constexpr Instant kStart{1'790'000'000'000};

}  // namespace

FakeService::FakeService() : thread_([this] { run(); }) {
  const std::lock_guard lock(mutex_);
  record(ServerStarted{.epoch = 1, .version = "test"});
  unpublished_.clear();
}

FakeService::~FakeService() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FakeService::record(EventPayload payload) {
  Event event{.seq = ++last_seq_, .time = kStart, .actor = "test", .payload = std::move(payload)};
  events_.push_back(event);
  unpublished_.push_back(std::move(event));
}

// Listeners are called outside of the lock, as they read from here, and in order.
void FakeService::publish() {
  const std::lock_guard one_at_a_time(publishing_);
  std::vector<Event> events;
  std::vector<std::shared_ptr<EventListener>> listeners;
  {
    const std::lock_guard lock(mutex_);
    events.swap(unpublished_);
    for (const auto& [key, listener] : listeners_) listeners.push_back(listener);
  }
  if (events.empty()) return;
  for (const auto& listener : listeners) (*listener)(events);
}

std::vector<Job> FakeService::make_jobs(const JobSpec& spec, std::string_view owner) {
  const auto shared = std::make_shared<JobSpec>(spec);
  shared->queue = queue_of(spec);
  const std::int32_t count = spec.array.value_or(1);
  std::optional<GroupId> group;
  if (spec.array) group = GroupId{++last_id_};
  const SpecId spec_id{++last_id_};
  std::vector<Job> made;
  for (std::int32_t i = 0; i < count; ++i) {
    Job job{.id = JobId{++last_id_}, .spec_id = spec_id, .spec = shared, .group = group};
    if (group) job.group_index = i;
    job.name = group ? fmt::format("{}-{}", spec.name, i) : spec.name;
    job.project = spec.project;
    job.owner = owner;
    job.queue = shared->queue;
    job.priority = spec.priority;
    job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = kStart;
    jobs_[job.id] = {job, {}};
    record(JobSubmitted{job});
    made.push_back(std::move(job));
  }
  return made;
}

Job FakeService::add_job(JobSpec spec, std::string_view owner) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    if (spec.run.words.empty()) spec.run.words = {"true"};
    job = make_jobs(spec, owner).front();
  }
  publish();
  return job;
}

void FakeService::set_state(JobId id, JobState state) {
  const std::lock_guard lock(mutex_);
  Job& job = jobs_.at(id).job;
  job.state = state;
  if (state != JobState::queued && state != JobState::held) job.pending.reset();
  if (is_terminal(state)) job.ended_at = kStart;
}

void FakeService::add_attempt(Attempt attempt) {
  const std::lock_guard lock(mutex_);
  auto& attempts = jobs_.at(attempt.job).attempts;
  const auto place = std::ranges::lower_bound(attempts, attempt.number, {}, &Attempt::number);
  if (place != attempts.end() && place->number == attempt.number) *place = std::move(attempt);
  else attempts.insert(place, std::move(attempt));
}

std::string FakeService::job_token(AttemptKey attempt) {
  return "ymj." + to_string(Token{attempt.job, attempt.number, 1});
}

Attempt* FakeService::find_attempt(AttemptKey attempt) {
  const auto job = jobs_.find(attempt.job);
  if (job == jobs_.end()) return nullptr;
  auto& attempts = job->second.attempts;
  const auto found = std::ranges::find(attempts, attempt.number, &Attempt::number);
  return found == attempts.end() ? nullptr : &*found;
}

void FakeService::set_notice(AttemptKey attempt, Notice notice) {
  {
    const std::lock_guard lock(mutex_);
    notices_[attempt] = notice;
    record(AttemptStopping{.attempt = attempt, .cause = notice.cause, .stop_by = notice.deadline});
  }
  publish();
}

void FakeService::change_job(JobId id, const std::function<void(Job&)>& change) {
  const std::lock_guard lock(mutex_);
  change(jobs_.at(id).job);
}

std::vector<ReportProgress> FakeService::reports() const {
  const std::lock_guard lock(mutex_);
  return reports_;
}

std::size_t FakeService::notices_asked() const {
  const std::lock_guard lock(mutex_);
  return notices_asked_;
}

void FakeService::write_log(AttemptKey attempt, std::int32_t task, std::string_view text, bool complete) {
  const std::lock_guard lock(mutex_);
  Log& log = logs_[{attempt, task}];
  log.text += text;
  log.complete = complete;
}

void FakeService::add_queue(Queue queue) {
  const std::lock_guard lock(mutex_);
  queues_[queue.name] = std::move(queue);
}

void FakeService::add_node(Node node) {
  const std::lock_guard lock(mutex_);
  nodes_[node.name] = std::move(node);
}

void FakeService::set_usage(std::vector<engine::QueueUsage> usage) {
  const std::lock_guard lock(mutex_);
  usage_ = std::move(usage);
}

void FakeService::set_explanation(Explanation explanation) {
  const std::lock_guard lock(mutex_);
  explanation_ = std::move(explanation);
}

void FakeService::set_counters(Counters counters) {
  const std::lock_guard lock(mutex_);
  counters_ = std::move(counters);
}

void FakeService::set_not_ready(std::optional<std::string> reason) {
  const std::lock_guard lock(mutex_);
  not_ready_ = std::move(reason);
}

void FakeService::fail_commands(std::optional<Error> error) {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(error);
}

void FakeService::forget_events(std::uint64_t seq) {
  const std::lock_guard lock(mutex_);
  forgotten_ = seq;
}

void FakeService::pause(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  changed_.notify_all();
}

std::size_t FakeService::commands_waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::size_t FakeService::submits() const {
  const std::lock_guard lock(mutex_);
  return submits_;
}

std::size_t FakeService::job_count() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

std::size_t FakeService::listeners() const {
  const std::lock_guard lock(mutex_);
  return listeners_.size();
}

void FakeService::tick() {
  {
    const std::lock_guard lock(mutex_);
    record(FlavorRemoved{.name = fmt::format("tick-{}", last_seq_ + 1)});
  }
  publish();
}

}  // namespace ym::testing
