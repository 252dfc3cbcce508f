#include "api/testing/fake_backend.h"

#include <algorithm>

#include "api/testing/fake_history.h"
#include "control/access/token_text.h"
#include "model/access/roles.h"

namespace ym::testing {

FakeBackend::FakeBackend()
    : reads_(model_, access_book_, listeners_, clock_, make_sources()), thread_([this] { run(); }) {
  const auto known = [&](std::string_view token, const std::string& principal, std::vector<std::string> scopes) {
    tables_.principals[principal] = {.name = principal, .handle = principal, .created_at = clock_.now()};
    AccessToken row{.hash = hash_token(Secret(std::string(token))),
                    .principal = principal,
                    .scopes = std::move(scopes),
                    .created_at = clock_.now()};
    row.name = token_id(row.hash);
    tables_.access_tokens[row.name] = std::move(row);
  };
  known(kAdminToken, "ada", {});
  known(kUserToken, "bob", {std::string(kUserRole)});
  known(kViewerToken, "eye", {"viewer"});
  access_book_.reset(tables_, AccessMode::everything);
  model_.set_file_policy({.age_cap = hours(2)});
  {
    const std::lock_guard lock(mutex_);
    record(ServerStarted{.epoch = 1, .version = "test"});
  }
  publish();
}

FakeBackend::~FakeBackend() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Reads::Sources FakeBackend::make_sources() {
  return {.reader = [this]() -> Result<std::unique_ptr<StoreReader>> { return std::make_unique<History>(*this); },
          .usage =
              [this] {
                const std::lock_guard lock(mutex_);
                return usage_;
              },
          .check_job_token = [](const Secret& token) -> Result<AttemptKey> {
            const auto attempt = parse_token(token.reveal().substr(4));
            if (!attempt) return fail(ErrorCode::unauthenticated, "the token is not known");
            return attempt->key();
          },
          .not_ready =
              [this] {
                const std::lock_guard lock(mutex_);
                return not_ready_;
              },
          .add_counts =
              [this](Counters& counters) {
                const std::lock_guard lock(mutex_);
                if (counters_) counters = *counters_;
              }};
}

void FakeBackend::record(EventPayload payload) {
  Event event{.seq = ++tables_.last_seq, .time = clock_.now(), .actor = "test", .payload = std::move(payload)};
  events_.push_back(event);
  unpublished_.push_back(std::move(event));
}

// Listeners are called in order and without the lock, because they read from this object.
void FakeBackend::publish() {
  const std::lock_guard one_at_a_time(publishing_);
  const auto events = std::make_shared<std::vector<Event>>();
  {
    const std::lock_guard lock(mutex_);
    if (unpublished_.empty()) return;
    events->swap(unpublished_);
    Committed committed{.events = events, .finished = {}};
    for (const auto& event : *events)
      if (const auto job = job_of(event.payload); job && is_terminal(tables_.jobs.at(*job).state))
        committed.finished.push_back(*job);
    model_.publish(committed, tables_);
    access_book_.follow(*events);
  }
  listeners_.tell(*events);
}

void FakeBackend::arrange(const std::function<void(Tables&)>& change) {
  const std::lock_guard lock(mutex_);
  change(tables_);
  model_.reset(tables_);
}

std::vector<Shared<Job>> FakeBackend::make_jobs(const JobSpec& spec, std::string_view owner) {
  const auto shared = std::make_shared<JobSpec>(spec);
  shared->queue = queue_of(spec);
  const std::int32_t count = spec.array.value_or(1);
  std::optional<GroupId> group;
  if (spec.array) group = GroupId{++tables_.last_id};
  const SpecId spec_id{++tables_.last_id};
  std::vector<Shared<Job>> made;
  for (std::int32_t i = 0; i < count; ++i) {
    Job job{.id = JobId{++tables_.last_id}, .spec_id = spec_id, .spec = shared, .group = group};
    if (group) job.group_index = i;
    job.name = group ? fmt::format("{}-{}", spec.name, i) : spec.name;
    job.project = spec.project;
    job.owner = owner;
    job.queue = shared->queue;
    job.priority = spec.priority;
    job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = clock_.now();
    tables_.jobs.insert_or_assign(job.id, job);
    record(JobSubmitted{job});
    made.push_back(std::move(job));
  }
  return made;
}

Job FakeBackend::add_job(JobSpec spec, std::string_view owner) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    if (spec.run.words.empty()) spec.run.words = {"true"};
    job = make_jobs(spec, owner).front();
  }
  publish();
  return job;
}

void FakeBackend::change_job(JobId id, const std::function<void(Job&)>& change) {
  arrange([&](Tables&) { change(job_row(id)); });
}

void FakeBackend::set_state(JobId id, JobState state) {
  change_job(id, [&](Job& job) {
    job.state = state;
    if (state != JobState::queued && state != JobState::held) job.pending.reset();
    if (is_terminal(state)) job.ended_at = clock_.now();
  });
}

void FakeBackend::add_attempt(Attempt attempt) {
  arrange([&](Tables& tables) {
    Job& job = job_row(attempt.job);
    job.attempts = std::max(job.attempts, attempt.number);
    tables.attempts.insert_or_assign(attempt.key(), attempt);
  });
}

void FakeBackend::add_queue(Queue queue) {
  arrange([&](Tables& tables) { tables.queues[queue.name] = queue; });
}

void FakeBackend::add_node(Node node) {
  arrange([&](Tables& tables) { tables.nodes[node.name] = node; });
}

void FakeBackend::set_usage(std::vector<engine::QueueUsage> usage) {
  const std::lock_guard lock(mutex_);
  usage_.queues = std::move(usage);
}

void FakeBackend::set_counters(Counters counters) {
  const std::lock_guard lock(mutex_);
  counters_ = std::move(counters);
}

void FakeBackend::set_not_ready(std::optional<std::string> reason) {
  const std::lock_guard lock(mutex_);
  not_ready_ = std::move(reason);
}

void FakeBackend::forget_events(std::uint64_t seq) {
  const std::lock_guard lock(mutex_);
  forgotten_ = seq;
}

std::size_t FakeBackend::job_count() const {
  const std::lock_guard lock(mutex_);
  return tables_.jobs.size();
}

JobState FakeBackend::state_of(JobId id) const {
  const std::lock_guard lock(mutex_);
  return tables_.jobs.at(id).state;
}

void FakeBackend::tick() {
  {
    const std::lock_guard lock(mutex_);
    record(FlavorRemoved{.name = fmt::format("tick-{}", tables_.last_seq + 1)});
  }
  publish();
}

}  // namespace ym::testing
