#include "control/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/submit.h"

namespace ym {
namespace {

std::unexpected<Error> no_such_job(JobId id) {
  return fail(ErrorCode::not_found, fmt::format("there is no job {}", to_string(id)));
}

std::unexpected<Error> wrong_state(const Job& job, std::string_view wanted) {
  return fail(ErrorCode::conflict, fmt::format("job {} is {}; {}", to_string(job.id), to_string(job.state), wanted));
}

class Stage {
 public:
  Stage(Staging& staging, const CommandContext& context, const Caller& caller)
      : staging_(staging), context_(context), caller_(caller) {}

  Result<CommandReply> operator()(const SubmitJobs& command) {
    return stage_submit(staging_, context_, caller_, command);
  }

  Result<CommandReply> operator()(const CancelJob& command) {
    const auto job = find(command.job);
    if (!job) return std::unexpected(job.error());
    if (job->cancel_requested || job->state == JobState::cancelled) return reply(*job);  // said before
    if (is_terminal(job->state)) return wrong_state(*job, "only a job that has not ended can be cancelled");
    staging_.add(caller_.principal, CancelRequested{job->id});
    const Attempt* attempt = staging_.tables().live_attempt(job->id);
    if (!attempt) {
      staging_.add(caller_.principal, JobFinished{job->id, JobState::cancelled, "cancelled before it started"});
    } else {
      stop(*job, *attempt);
    }
    return reply_now(job->id);
  }

  Result<CommandReply> operator()(const HoldJob& command) {
    const auto job = find(command.job);
    if (!job) return std::unexpected(job.error());
    if (job->state == JobState::held) return reply(*job);
    if (job->state != JobState::queued) return wrong_state(*job, "only a queued job can be held");
    staging_.add(caller_.principal, JobHeld{job->id});
    return reply_now(job->id);
  }

  Result<CommandReply> operator()(const ReleaseJob& command) {
    const auto job = find(command.job);
    if (!job) return std::unexpected(job.error());
    if (job->state == JobState::queued) return reply(*job);
    if (job->state != JobState::held) return wrong_state(*job, "only a held job can be released");
    staging_.add(caller_.principal, JobReleased{job->id});
    return reply_now(job->id);
  }

  Result<CommandReply> operator()(const RetryJob& command) {
    const auto job = find(command.job);
    if (!job) return std::unexpected(job.error());
    if (!is_terminal(job->state)) return wrong_state(*job, "only a job that has ended can be retried");
    JobSpec again = *job->spec;
    again.array.reset();
    again.name = job->name;
    return stage_submit(staging_, context_, caller_, SubmitJobs{.specs = {std::move(again)}});
  }

  Result<CommandReply> operator()(const ApplyQueues& command) {
    for (const auto& queue : command.queues) {
      const auto it = staging_.tables().queues.find(queue.name);
      if (it == staging_.tables().queues.end() || it->second.managed_by != ManagedBy::file) continue;
      return fail(ErrorCode::conflict, fmt::format("queue '{}' is managed by the server's configuration file; "
                                                   "change it there and send the server SIGHUP",
                                                   queue.name));
    }
    for (const auto& queue : command.queues) {
      if (!queue.parent.empty() && !known(queue.parent, command.queues)) {
        return fail(ErrorCode::invalid,
                    fmt::format("queue '{}' has the parent '{}', which does not exist", queue.name, queue.parent));
      }
    }
    for (auto queue : command.queues) {
      queue.managed_by = ManagedBy::api;
      staging_.add(caller_.principal, QueueSet{std::move(queue)});
    }
    return CommandReply{};
  }

  Result<CommandReply> operator()(const SetNodeSchedulable& command) {
    const auto it = staging_.tables().nodes.find(command.node);
    if (it == staging_.tables().nodes.end()) {
      return fail(ErrorCode::not_found, fmt::format("there is no node '{}'", command.node));
    }
    Node node = it->second;
    if (node.schedulable == command.schedulable) return CommandReply{};
    node.schedulable = command.schedulable;
    node.message = command.schedulable ? "" : fmt::format("drained by {}", caller_.principal);
    if (!command.schedulable && !command.message.empty()) node.message += ": " + command.message;
    staging_.add(caller_.principal, NodeSet{std::move(node)});
    return CommandReply{};
  }

 private:
  // A copy: staging changes the row it came from.
  Result<Job> find(JobId id) {
    if (const auto it = staging_.tables().jobs.find(id); it != staging_.tables().jobs.end()) return it->second;
    auto ended = context_.history.job(id);
    if (!ended) return std::unexpected(ended.error());
    if (!*ended) return no_such_job(id);
    return std::move(**ended);
  }

  void stop(const Job& job, const Attempt& attempt) {
    // Without contact the stop is sent all the same, and said again when contact is back.
    if (attempt.state != AttemptState::unknown && attempt.state != AttemptState::stopping) {
      staging_.add(caller_.principal, AttemptStopping{attempt.key(), StopCause::cancel});
    }
    staging_.then(
        StopEffect{attempt.cluster, attempt.token(), {StopCause::cancel, job.spec->stop.signal, job.spec->stop.grace}});
  }

  bool known(const std::string& name, const std::vector<Queue>& added) const {
    return staging_.tables().queues.contains(name) || std::ranges::find(added, name, &Queue::name) != added.end();
  }

  static CommandReply reply(Job job) { return {.jobs = {std::move(job)}}; }
  CommandReply reply_now(JobId id) const { return reply(staging_.tables().jobs.at(id)); }

  Staging& staging_;
  const CommandContext& context_;
  const Caller& caller_;
};

}  // namespace

Result<CommandReply> stage_command(Staging& staging, const CommandContext& context, const Caller& caller,
                                   const Command& command) {
  return std::visit(Stage{staging, context, caller}, command);
}

}  // namespace ym
