#include "control/commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "control/access/login_commands.h"
#include "control/access/principals.h"
#include "control/access/project_commands.h"
#include "control/access/provision/provision_commands.h"
#include "control/access/role_commands.h"
#include "control/access/token_commands.h"
#include "control/commands/cancel_jobs.h"
#include "control/commands/command_rights.h"
#include "control/commands/reservation_commands.h"
#include "control/commands/submit.h"
#include "control/history/segment_commands.h"
#include "control/site/policy.h"
#include "control/site/queue_commands.h"
#include "control/state/messages.h"

namespace ym {
namespace {

std::unexpected<Error> wrong_state(const Job& job, std::string_view wanted) {
  return fail(ErrorCode::conflict, fmt::format("job {} is {}; {}", to_string(job.id), to_string(job.state), wanted));
}

bool may(const Caller& caller, const Command& command) {
  if (caller.kind != CallerKind::job) return true;
  const auto* report = std::get_if<ReportProgress>(&command);
  return report && caller.attempt == report->attempt;
}

class StageCommand {
 public:
  StageCommand(Staging& staging, const CommandContext& context, const Caller& caller)
      : staging_(staging), context_(context), caller_(caller) {}

  Result<CommandReply> operator()(const SubmitJobs& command) {
    return stage_submit(staging_, context_, caller_, command);
  }

  Result<CommandReply> operator()(const CancelJob& command) {
    const auto job = find(command.job, Permission::jobs_cancel);
    if (!job) return std::unexpected(job.error());
    if (job->cancel_requested || job->state == JobState::cancelled) return reply(*job);  // requested before
    if (is_terminal(job->state)) return wrong_state(*job, "only a job that has not ended can be cancelled");
    stage_cancel(staging_, caller_.principal, *job);
    return reply_now(job->id);
  }

  Result<CommandReply> operator()(const CancelJobs& command) {
    return stage_cancel_jobs(staging_, context_, caller_, command);
  }

  Result<CommandReply> operator()(const HoldJob& command) {
    const auto job = find(command.job, Permission::jobs_hold);
    if (!job) return std::unexpected(job.error());
    if (job->state == JobState::held) return reply(*job);
    if (job->state != JobState::queued) return wrong_state(*job, "only a queued job can be held");
    staging_.add(caller_.principal, JobHeld{job->id});
    return reply_now(job->id);
  }

  Result<CommandReply> operator()(const ReleaseJob& command) {
    const auto job = find(command.job, Permission::jobs_hold);
    if (!job) return std::unexpected(job.error());
    if (job->state == JobState::queued) return reply(*job);
    if (job->state != JobState::held) return wrong_state(*job, "only a held job can be released");
    staging_.add(caller_.principal, JobReleased{job->id});
    return reply_now(job->id);
  }

  Result<CommandReply> operator()(const ChangeGroup& command) {
    CommandReply reply;
    const auto members = live_members(command.group);
    const auto permission = command.act == ChangeGroup::Act::cancel ? Permission::jobs_cancel : Permission::jobs_hold;
    Result<void> may;
    for (const auto id : members) {
      const Job job = staging_.tables().jobs.at(id);
      // A retry by another user is a member, too.
      if (auto allowed = require_on_job(context_.access, permission, job); !allowed) {
        may = std::move(allowed);
        continue;
      }
      if (change(job, command.act)) reply.jobs.push_back(staging_.tables().jobs.shared(id));
    }
    if (!reply.jobs.empty()) return reply;
    if (!may) return std::unexpected(may.error());
    constexpr std::array<std::string_view, 3> kWhyNone{"has not ended", "waits, so none can be held", "is held"};
    return fail(ErrorCode::conflict, fmt::format("no member of array {} {}", to_string(command.group),
                                                 kWhyNone.at(static_cast<std::size_t>(command.act))));
  }

  Result<CommandReply> operator()(const RetryJob& command) {
    const auto job = find(command.job, Permission::jobs_retry);
    if (!job) return std::unexpected(job.error());
    if (!is_terminal(job->state)) return wrong_state(*job, "only a job that has ended can be retried");
    return stage_retry(staging_, context_, caller_, *job, command);
  }

  Result<CommandReply> operator()(const ApplyQueues& command) { return stage_apply_queues(staging_, caller_, command); }

  Result<CommandReply> operator()(const SetQueueStop& command) { return stage_queue_stop(staging_, caller_, command); }
  Result<CommandReply> operator()(const RemoveQueue& command) { return stage_remove_queue(staging_, caller_, command); }

  Result<CommandReply> operator()(const SetNodeSchedulable& command) {
    const auto it = staging_.tables().nodes.find(command.node);
    if (it == staging_.tables().nodes.end()) {
      return std::unexpected(no_such_node(command.node));
    }
    Node node = it->second;
    if (node.schedulable == command.schedulable) return CommandReply{};
    node.schedulable = command.schedulable;
    node.message = command.schedulable ? "" : fmt::format("drained by {}", caller_.principal);
    if (!command.schedulable && !command.message.empty()) node.message += ": " + command.message;
    staging_.add(caller_.principal, NodeSet{std::move(node)});
    return CommandReply{};
  }

  Result<CommandReply> operator()(const ApplyPolicy& command) { return stage_apply_policy(staging_, caller_, command); }
  Result<CommandReply> operator()(const ResetPolicy&) { return stage_reset_policy(staging_, caller_); }
  Result<CommandReply> operator()(const CreateReservation& command) {
    return stage_create_reservation(staging_, caller_, command);
  }
  Result<CommandReply> operator()(const RemoveReservation& command) {
    return stage_remove_reservation(staging_, caller_, command);
  }

  template <class AccessCommand>
    requires requires(const AccessCommand& command, const AccessContext& context) { change_of(command, context); }
  Result<CommandReply> operator()(const AccessCommand& command) {
    auto change = change_of(
        command,
        AccessContext{
            .tables = staging_.tables(), .cache = staging_.access_cache(), .caller = caller_, .now = staging_.now()});
    if (!change) return std::unexpected(change.error());
    for (auto& event : change->events) staging_.add(actor_of(caller_), std::move(event));
    return CommandReply{.token = std::move(change->token), .binding = std::move(change->binding)};
  }

  Result<CommandReply> operator()(const ReportProgress& command) {
    const auto& attempts = staging_.tables().attempts;
    const auto it = attempts.find(command.attempt);
    if (it == attempts.end() || it->second.state == AttemptState::ended) return refuse_report(command.attempt);
    context_.progress.take(staging_, command.attempt, command.report);
    return CommandReply{};
  }

 private:
  // The error for a report of an attempt that has ended or never was.
  std::unexpected<Error> refuse_report(AttemptKey key) {
    const auto name = fmt::format("attempt {} of job {}", key.number, to_string(key.job));
    bool known = staging_.tables().attempts.contains(key);
    if (!known && is_given(key.job)) {
      known = context_.ended->attempt(key.number) != nullptr;
    } else if (!known) {
      const auto ended = context_.history.attempts(key.job);
      if (!ended) return std::unexpected(ended.error());
      known = has(*ended, key.number);
    }
    if (known) return fail(ErrorCode::conflict, name + " has ended; its report comes too late");
    return fail(ErrorCode::not_found, "there is no " + name);
  }

  static bool has(const std::vector<Attempt>& attempts, std::int32_t number) {
    return std::ranges::find(attempts, number, &Attempt::number) != attempts.end();
  }

  bool is_given(JobId id) const { return context_.ended && context_.ended->job->id == id; }

  // A copy, because staging changes the row. Errors: `not_found`, also if the caller does not see it; `forbidden`.
  Result<Job> find(JobId id, Permission permission) {
    auto job = find(id);
    if (!job) return job;
    if (auto may = require_on_job(context_.access, permission, *job); !may) return std::unexpected(may.error());
    return job;
  }

  Result<Job> find(JobId id) {
    if (const auto it = staging_.tables().jobs.find(id); it != staging_.tables().jobs.end()) return it->second;
    if (is_given(id)) return context_.ended->job;
    auto ended = context_.history.job(id);
    if (!ended) return std::unexpected(ended.error());
    if (!*ended) return std::unexpected(no_such_job(id));
    return std::move(**ended);
  }

  std::vector<JobId> live_members(GroupId group) const {
    std::vector<JobId> members;
    for (const auto& [id, job] : staging_.tables().jobs)
      if (job.group == group && !is_terminal(job.state)) members.push_back(id);
    return members;
  }

  // Whether the member now is as the act wants it.
  bool change(const Job& job, ChangeGroup::Act act) {
    switch (act) {
      case ChangeGroup::Act::cancel:
        if (!job.cancel_requested) stage_cancel(staging_, caller_.principal, job);
        return true;
      case ChangeGroup::Act::hold:
        if (job.state == JobState::queued) staging_.add(caller_.principal, JobHeld{job.id});
        return job.state == JobState::queued || job.state == JobState::held;
      case ChangeGroup::Act::release:
        if (job.state == JobState::held) staging_.add(caller_.principal, JobReleased{job.id});
        return job.state == JobState::held || job.state == JobState::queued;
    }
    return false;
  }

  static CommandReply reply(Job job) { return {.jobs = {std::move(job)}}; }
  CommandReply reply_now(JobId id) const { return {.jobs = {staging_.tables().jobs.shared(id)}}; }

  Staging& staging_;
  const CommandContext& context_;
  const Caller& caller_;
};

}  // namespace

Result<CommandReply> stage_command(Staging& staging, const CommandContext& context, const Caller& caller,
                                   const Command& command) {
  if (!may(caller, command)) {
    return fail(ErrorCode::forbidden,
                "with a job's token only the progress and the notice of its own attempt can be used");
  }
  // The token may have been revoked while the request waited.
  if (auto valid = check_caller(caller, staging.tables(), staging.now()); !valid) return std::unexpected(valid.error());
  if (auto may = check_rights(staging.tables(), context.access, command); !may) return std::unexpected(may.error());
  return std::visit(StageCommand{staging, context, caller}, command);
}

}  // namespace ym
