// FakeBackend: the effects of commands.
#include "api/testing/fake_backend.h"

#include "control/access/project_commands.h"
#include "control/access/role_commands.h"
#include "control/access/token_commands.h"

#include "control/access/token_commands.h"

namespace ym::testing {

void FakeBackend::execute(Caller caller, Command command, Reply reply) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(caller), std::move(command), std::move(reply)});
  }
  changed_.notify_all();
}

void FakeBackend::fail_commands(std::optional<Error> error) {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(error);
}

void FakeBackend::pause(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  changed_.notify_all();
}

std::size_t FakeBackend::commands_waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::size_t FakeBackend::submits() const {
  const std::lock_guard lock(mutex_);
  return submits_;
}

std::vector<ReportProgress> FakeBackend::reports() const {
  const std::lock_guard lock(mutex_);
  return reports_;
}

void FakeBackend::run() {
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

Result<CommandReply> FakeBackend::apply(const Caller& caller, const Command& command) {
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
  if (const auto* stop = std::get_if<SetQueueStop>(&command)) return set_queue_stop(*stop);
  if (const auto* created = std::get_if<CreateReservation>(&command)) return create_reservation(*created);
  if (const auto* over = std::get_if<RemoveReservation>(&command)) return remove_reservation(*over);
  if (const auto* policy = std::get_if<ApplyPolicy>(&command))
    return set_policy(over(policy->settings, model_.policy().set));
  if (std::holds_alternative<ResetPolicy>(command)) return set_policy({});
  if (auto changed = change_access(caller, command)) return std::move(*changed);
  return set_node(std::get<SetNodeSchedulable>(command));
}

namespace {

// Sets and removes rows.
struct FoldRows {
  Tables& tables;

  template <class Row>
  void operator()(const RowSet<Row>& event) const {
    rows_of<Row>(tables).insert_or_assign(event.row.name, event.row);
  }
  template <class Row>
  void operator()(const RowRemoved<Row>& event) const {
    rows_of<Row>(tables).erase(event.name);
  }
  template <class Payload>
  void operator()(const Payload&) const {}
};

}  // namespace

// Nothing: the command is not one on access.
std::optional<Result<CommandReply>> FakeBackend::change_access(const Caller& caller, const Command& command) {
  const AccessContext context{.tables = tables_, .cache = access_, .caller = caller, .now = clock_.now()};
  return std::visit(
      [&]<class Any>(const Any& any) -> std::optional<Result<CommandReply>> {
        if constexpr (requires { change_of(any, context); }) return take(change_of(any, context));
        else return std::nullopt;
      },
      command);
}

Result<CommandReply> FakeBackend::take(Result<AccessChange> change) {
  if (!change) return std::unexpected(change.error());
  for (auto& event : change->events) {
    std::visit(FoldRows{tables_}, event);
    record(std::move(event));
  }
  access_.forget();
  return CommandReply{.token = std::move(change->token), .binding = std::move(change->binding)};
}

std::optional<Result<CommandReply>> FakeBackend::replay(const Caller& caller, const std::optional<std::string>& key,
                                                        const std::string& hash) {
  const auto known = keys_.find({caller.principal, key.value_or("")});
  if (!key || known == keys_.end()) return std::nullopt;
  if (known->second.hash != hash) return fail(ErrorCode::conflict, "the idempotency key was used for another request");
  CommandReply reply{.replayed = true};
  for (const auto id : known->second.jobs) reply.jobs.push_back(tables_.jobs.at(id));
  return reply;
}

void FakeBackend::remember(const Caller& caller, const std::optional<std::string>& key, const std::string& hash,
                           const std::vector<Shared<Job>>& jobs) {
  if (!key) return;
  Remembered& remembered = keys_[{caller.principal, *key}];
  remembered.hash = hash;
  for (const Job& job : jobs) remembered.jobs.push_back(job.id);
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

Result<CommandReply> FakeBackend::submit(const Caller& caller, const SubmitJobs& command) {
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

Result<CommandReply> FakeBackend::retry(const Caller& caller, const RetryJob& command) {
  const Job& job = tables_.jobs.at(command.job);
  if (!is_terminal(job.state)) return fail(ErrorCode::conflict, "the job has not ended");
  if (auto known = replay(caller, command.idempotency_key, command.request_hash)) return std::move(*known);
  JobSpec spec = *job.spec;
  spec.array.reset();
  CommandReply reply{.jobs = make_jobs(spec, caller.principal)};
  remember(caller, command.idempotency_key, command.request_hash, reply.jobs);
  return reply;
}

Result<CommandReply> FakeBackend::cancel_jobs(const CancelJobs& command) {
  CommandReply reply;
  for (const auto id : command.jobs) {
    auto done = cancel(id);
    if (done) reply.jobs.push_back(std::move(done->jobs.front()));
    else reply.refused.push_back({id, done.error()});
  }
  return reply;
}

Result<CommandReply> FakeBackend::change_group(const ChangeGroup& command) {
  CommandReply reply;
  const auto before = tables_.jobs;
  for (const auto& [id, job] : before) {
    if (job.group != command.group) continue;
    using enum ChangeGroup::Act;
    auto changed = command.act == cancel ? this->cancel(id)
                   : command.act == hold ? change(id, JobState::queued, JobState::held, JobHeld{id})
                                         : change(id, JobState::held, JobState::queued, JobReleased{id});
    if (changed) reply.jobs.push_back(std::move(changed->jobs.front()));
  }
  if (reply.jobs.empty()) return fail(ErrorCode::conflict, "no member can be changed");
  return reply;
}

Result<CommandReply> FakeBackend::remove_queue(const RemoveQueue& command) {
  const auto known = tables_.queues.find(command.queue);
  if (known == tables_.queues.end()) return fail(ErrorCode::not_found, "there is no such queue");
  if (known->second.managed_by == ManagedBy::file) return fail(ErrorCode::conflict, "the file manages it");
  known->second.accepts_jobs = false;
  bool used = false;
  for (const auto& [id, job] : tables_.jobs) used |= job.queue == command.queue && !is_terminal(job.state);
  if (used) {
    record(QueueSet{known->second});
  } else {
    record(QueueRemoved{command.queue});
    tables_.queues.erase(known);
  }
  return CommandReply{};
}

Result<CommandReply> FakeBackend::take_report(const ReportProgress& command) {
  if (!tables_.attempts.contains(command.attempt)) return no_such_attempt(command.attempt);
  Attempt& attempt = tables_.attempts.change(command.attempt, RowGiven::maybe, nullptr);
  if (attempt.state == AttemptState::ended) return fail(ErrorCode::conflict, "the attempt has ended");
  reports_.push_back(command);
  ProgressReport report = command.report;
  if (report.checkpoint) {
    report.checkpoint->attempt = command.attempt.number;
    auto& known = job_row(command.attempt.job).checkpoints;
    known.insert(known.begin(), *report.checkpoint);
  }
  if (!attempt.progress) attempt.progress.emplace();
  update(*attempt.progress, report, clock_.now());
  record(AttemptProgressed{command.attempt, report});
  return CommandReply{};
}

Result<CommandReply> FakeBackend::change(JobId id, JobState from, JobState to, EventPayload payload) {
  Job& job = job_row(id);
  if (job.state != from) return fail(ErrorCode::conflict, fmt::format("the job is {}", to_string(job.state)));
  job.state = to;
  job.pending = to == JobState::held ? ReasonCode::held : ReasonCode::pending_evaluation;
  record(std::move(payload));
  return CommandReply{.jobs = {job}};
}

Result<CommandReply> FakeBackend::cancel(JobId id) {
  Job& job = job_row(id);
  if (is_terminal(job.state)) return fail(ErrorCode::conflict, "the job has ended");
  job.cancel_requested = true;
  job.pending.reset();
  const bool runs = is_active(job.state);
  job.state = runs ? JobState::stopping : JobState::cancelled;
  if (!runs) job.ended_at = job.submitted_at;
  record(CancelRequested{id});
  return CommandReply{.jobs = {job}};
}

Result<CommandReply> FakeBackend::set_queues(const ApplyQueues& command) {
  for (const auto& queue : command.queues) {
    const auto known = tables_.queues.find(queue.name);
    if (known != tables_.queues.end() && known->second.managed_by == ManagedBy::file) {
      return fail(ErrorCode::conflict, fmt::format("queue '{}' is managed by the configuration file", queue.name));
    }
  }
  if (command.dry_run) return CommandReply{};
  for (auto queue : command.queues) {
    queue.managed_by = ManagedBy::api;
    record(QueueSet{queue});
    tables_.queues[queue.name] = queue;
  }
  return CommandReply{};
}

Result<CommandReply> FakeBackend::set_queue_stop(const SetQueueStop& command) {
  const auto known = tables_.queues.find(command.queue);
  if (known == tables_.queues.end()) return fail(ErrorCode::not_found, "there is no such queue");
  Queue queue = known->second;
  queue.stop = command.stop;
  return set_queues({.queues = {queue}});
}

Result<CommandReply> FakeBackend::set_policy(const PolicySettings& settings) {
  const PolicyRow row{.name = kPolicyName, .settings = settings};
  tables_.policies[row.name] = row;
  record(PolicySet{row});
  return CommandReply{};
}

Result<CommandReply> FakeBackend::create_reservation(const CreateReservation& command) {
  const AdvanceReservation& row = command.request.wanted;
  if (tables_.reservations.contains(row.name)) return fail(ErrorCode::conflict, "there is one of that name");
  tables_.reservations[row.name] = row;
  record(ReservationSet{row});
  return CommandReply{};
}

Result<CommandReply> FakeBackend::remove_reservation(const RemoveReservation& command) {
  if (tables_.reservations.erase(command.reservation) == 0)
    return fail(ErrorCode::not_found, "there is no such reservation");
  record(ReservationRemoved{command.reservation});
  return CommandReply{};
}

Result<CommandReply> FakeBackend::set_node(const SetNodeSchedulable& command) {
  const auto node = tables_.nodes.find(command.node);
  if (node == tables_.nodes.end())
    return fail(ErrorCode::not_found, fmt::format("there is no node '{}'", command.node));
  node->second.schedulable = command.schedulable;
  node->second.message = command.message;
  record(NodeSet{node->second});
  return CommandReply{};
}

}  // namespace ym::testing
