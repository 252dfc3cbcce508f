// The commanding half of FakeService.
#include "api/testing/fake_service.h"

namespace ym::testing {

void FakeService::execute(Caller caller, Command command, Reply reply) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(caller), std::move(command), std::move(reply)});
  }
  changed_.notify_all();
}

void FakeService::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || (!paused_ && !queue_.empty()); });
    if (stopping_) return;
    Pending pending = std::move(queue_.front());
    queue_.pop_front();
    auto result = failure_ ? std::unexpected(*failure_) : apply(pending.caller, pending.command);
    lock.unlock();
    publish();
    pending.reply(std::move(result));
  }
}

Result<CommandReply> FakeService::apply(const Caller& caller, const Command& command) {
  if (const auto* submitted = std::get_if<SubmitJobs>(&command)) return submit(caller, *submitted);
  if (const auto* cancelled = std::get_if<CancelJob>(&command)) return cancel(cancelled->job);
  if (const auto* several = std::get_if<CancelJobs>(&command)) return cancel_jobs(*several);
  if (const auto* held = std::get_if<HoldJob>(&command)) {
    return change(held->job, JobState::queued, JobState::held, JobHeld{held->job});
  }
  if (const auto* released = std::get_if<ReleaseJob>(&command)) {
    return change(released->job, JobState::held, JobState::queued, JobReleased{released->job});
  }
  if (const auto* retried = std::get_if<RetryJob>(&command)) return retry(caller, *retried);
  if (const auto* group = std::get_if<ChangeGroup>(&command)) return change_group(*group);
  if (const auto* removed = std::get_if<RemoveQueue>(&command)) return remove_queue(*removed);
  if (const auto* queues = std::get_if<ApplyQueues>(&command)) return set_queues(*queues);
  if (const auto* report = std::get_if<ReportProgress>(&command)) return take_report(*report);
  if (const auto* stop = std::get_if<SetQueueStop>(&command)) {
    if (!queues_.contains(stop->queue)) return fail(ErrorCode::not_found, "there is no such queue");
    Queue queue = queues_.at(stop->queue);
    queue.stop = stop->stop;
    return set_queues({.queues = {queue}});
  }
  if (const auto* created = std::get_if<CreateReservation>(&command)) return create_reservation(*created);
  if (const auto* over = std::get_if<RemoveReservation>(&command)) return remove_reservation(*over);
  if (const auto* policy = std::get_if<ApplyPolicy>(&command)) return set_policy(over(policy->settings, policy_.set));
  if (std::holds_alternative<ResetPolicy>(command)) return set_policy({});
  return set_node(std::get<SetNodeSchedulable>(command));
}

std::optional<Result<CommandReply>> FakeService::replay(const Caller& caller, const std::optional<std::string>& key,
                                                        const std::string& hash) {
  const auto known = keys_.find({caller.principal, key.value_or("")});
  if (!key || known == keys_.end()) return std::nullopt;
  if (known->second.hash != hash) return fail(ErrorCode::conflict, "the idempotency key was used for another request");
  CommandReply reply{.replayed = true};
  for (const auto id : known->second.jobs) reply.jobs.push_back(jobs_.at(id).job);
  return reply;
}

void FakeService::remember(const Caller& caller, const std::optional<std::string>& key, const std::string& hash,
                           const std::vector<Job>& jobs) {
  if (!key) return;
  Remembered& remembered = keys_[{caller.principal, *key}];
  remembered.hash = hash;
  for (const auto& job : jobs) remembered.jobs.push_back(job.id);
}

namespace {

// There are a thousand nodes.
std::vector<std::vector<std::string>> warnings_of_all(const std::vector<JobSpec>& specs) {
  std::vector<std::vector<std::string>> warnings;
  for (const auto& spec : specs)
    warnings.push_back(spec.nodes > 1000 ? std::vector<std::string>{spec.name + " is too large"}
                                         : std::vector<std::string>{});
  return warnings;
}

}  // namespace

Result<CommandReply> FakeService::submit(const Caller& caller, const SubmitJobs& command) {
  ++submits_;
  if (command.dry_run) {
    CommandReply reply{.warnings = warnings_of_all(command.specs)};
    for (const auto& spec : command.specs) reply.queues.push_back(queue_of(spec));
    return reply;
  }
  if (auto known = replay(caller, command.idempotency_key, command.request_hash)) return std::move(*known);
  CommandReply reply{.warnings = warnings_of_all(command.specs)};
  for (const auto& spec : command.specs) {
    for (auto& job : make_jobs(spec, caller.principal)) reply.jobs.push_back(std::move(job));
  }
  remember(caller, command.idempotency_key, command.request_hash, reply.jobs);
  return reply;
}

Result<CommandReply> FakeService::retry(const Caller& caller, const RetryJob& command) {
  const Job& job = jobs_.at(command.job).job;
  if (!is_terminal(job.state)) return fail(ErrorCode::conflict, "the job has not ended");
  if (auto known = replay(caller, command.idempotency_key, command.request_hash)) return std::move(*known);
  JobSpec spec = *job.spec;
  spec.array.reset();
  CommandReply reply{.jobs = make_jobs(spec, caller.principal)};
  remember(caller, command.idempotency_key, command.request_hash, reply.jobs);
  return reply;
}

Result<CommandReply> FakeService::cancel_jobs(const CancelJobs& command) {
  CommandReply reply;
  for (const auto id : command.jobs) {
    auto done = cancel(id);
    if (done) reply.jobs.push_back(std::move(done->jobs.front()));
    else reply.refused.push_back({id, done.error()});
  }
  return reply;
}

Result<CommandReply> FakeService::change_group(const ChangeGroup& command) {
  CommandReply reply;
  for (const auto& [id, view] : std::map(jobs_)) {
    if (view.job.group != command.group) continue;
    using enum ChangeGroup::Act;
    auto changed = command.act == cancel ? this->cancel(id)
                   : command.act == hold ? change(id, JobState::queued, JobState::held, JobHeld{id})
                                         : change(id, JobState::held, JobState::queued, JobReleased{id});
    if (changed) reply.jobs.push_back(std::move(changed->jobs.front()));
  }
  if (reply.jobs.empty()) return fail(ErrorCode::conflict, "no member can be changed");
  return reply;
}

Result<CommandReply> FakeService::remove_queue(const RemoveQueue& command) {
  const auto known = queues_.find(command.queue);
  if (known == queues_.end()) return fail(ErrorCode::not_found, "there is no such queue");
  if (known->second.managed_by == ManagedBy::file) return fail(ErrorCode::conflict, "the file manages it");
  known->second.accepts_jobs = false;
  const bool used = std::ranges::any_of(jobs_, [&](const auto& entry) {
    return entry.second.job.queue == command.queue && !is_terminal(entry.second.job.state);
  });
  if (!used) queues_.erase(known);
  return CommandReply{};
}

Result<CommandReply> FakeService::take_report(const ReportProgress& command) {
  Attempt* attempt = find_attempt(command.attempt);
  if (attempt == nullptr) return fail(ErrorCode::not_found, "there is no such attempt");
  if (attempt->state == AttemptState::ended) return fail(ErrorCode::conflict, "the attempt has ended");
  reports_.push_back(command);
  ProgressReport report = command.report;
  if (report.checkpoint) {
    report.checkpoint->attempt = command.attempt.number;
    auto& known = jobs_.at(command.attempt.job).job.checkpoints;
    known.insert(known.begin(), *report.checkpoint);
  }
  if (!attempt->progress) attempt->progress.emplace();
  update(*attempt->progress, report, now());
  record(AttemptProgressed{command.attempt, report});
  return CommandReply{};
}

Result<CommandReply> FakeService::change(JobId id, JobState from, JobState to, EventPayload payload) {
  Job& job = jobs_.at(id).job;
  if (job.state != from) return fail(ErrorCode::conflict, fmt::format("the job is {}", to_string(job.state)));
  job.state = to;
  job.pending = to == JobState::held ? ReasonCode::held : ReasonCode::pending_evaluation;
  record(std::move(payload));
  return CommandReply{.jobs = {job}};
}

Result<CommandReply> FakeService::cancel(JobId id) {
  Job& job = jobs_.at(id).job;
  if (is_terminal(job.state)) return fail(ErrorCode::conflict, "the job has ended");
  job.cancel_requested = true;
  job.pending.reset();
  const bool runs = is_active(job.state);
  job.state = runs ? JobState::stopping : JobState::cancelled;
  if (!runs) job.ended_at = job.submitted_at;
  record(CancelRequested{id});
  return CommandReply{.jobs = {job}};
}

Result<CommandReply> FakeService::set_queues(const ApplyQueues& command) {
  for (const auto& queue : command.queues) {
    const auto known = queues_.find(queue.name);
    if (known != queues_.end() && known->second.managed_by == ManagedBy::file) {
      return fail(ErrorCode::conflict, fmt::format("queue '{}' is managed by the configuration file", queue.name));
    }
  }
  if (command.dry_run) return CommandReply{};
  for (auto queue : command.queues) {
    queue.managed_by = ManagedBy::api;
    record(QueueSet{queue});
    queues_[queue.name] = queue;
  }
  return CommandReply{};
}

Result<CommandReply> FakeService::set_policy(const PolicySettings& settings) {
  policy_.set = settings;
  record(PolicySet{{.name = kPolicyName, .settings = settings}});
  return CommandReply{};
}

Result<CommandReply> FakeService::create_reservation(const CreateReservation& command) {
  const AdvanceReservation& row = command.request.wanted;
  if (reservations_.contains(row.name)) return fail(ErrorCode::conflict, "there is one of that name");
  reservations_[row.name] = row;
  record(ReservationSet{row});
  return CommandReply{};
}

Result<CommandReply> FakeService::remove_reservation(const RemoveReservation& command) {
  if (reservations_.erase(command.reservation) == 0) return fail(ErrorCode::not_found, "there is no such reservation");
  record(ReservationRemoved{command.reservation});
  return CommandReply{};
}

Result<CommandReply> FakeService::set_node(const SetNodeSchedulable& command) {
  const auto node = nodes_.find(command.node);
  if (node == nodes_.end()) return fail(ErrorCode::not_found, fmt::format("there is no node '{}'", command.node));
  node->second.schedulable = command.schedulable;
  node->second.message = command.message;
  record(NodeSet{node->second});
  return CommandReply{};
}

}  // namespace ym::testing
