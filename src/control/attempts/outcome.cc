#include "control/attempts/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/assert.h"
#include "control/attempts/culprit.h"
#include "control/attempts/task_ends.h"
#include "control/state/reasons.h"
#include "model/retry_counts.h"

namespace ym {
namespace {

// Backoff for an executor that cannot launch: long enough not to add load, short enough to start soon after the problem
// is over.
constexpr Duration kLaunchBackoff = seconds(5);
constexpr Duration kLaunchBackoffMax = minutes(5);

AttemptOutcome completed() { return {.by = EndedBy::exit, .exit_code = 0, .message = "completed"}; }

AttemptOutcome from_exit(const TaskExit& exit) {
  return {.by = exit.by,
          .exit_code = exit.exit_code,
          .signal = exit.signal,
          .message = describe(exit),
          .permanent = exit.permanent};
}

AttemptOutcome stopped(const TaskExit& exit, EndedBy by, std::string message) {
  return {.by = by, .exit_code = exit.exit_code, .signal = exit.signal, .message = std::move(message)};
}

// Adds the culprit: of a gang, or of a single task if its launcher names a worker.
AttemptOutcome from_culprit(const Attempt& attempt, const Suspect& suspect, AttemptOutcome outcome) {
  outcome.culprit = culprit_of(attempt, suspect);
  if (const auto& worker = suspect.task->exit->worker)
    outcome.message = fmt::format("{} ({})", outcome.message, describe(*worker));
  return outcome;
}

// The outcome of a task that ended by itself after a request to stop, as if there had been no request.
AttemptOutcome of_its_own(const TaskExit& exit) {
  if (!was_asked_to_stop(exit)) return from_exit(exit);
  TaskExit own = exit;
  own.by = exit.signal ? EndedBy::signal : EndedBy::exit;
  own.message = describe_end(own) + ", after the request to stop";
  return from_exit(own);
}

bool has_completed(const Attempt& attempt, const JobSpec& spec) {
  const bool done = attempt.progress && attempt.progress->completed;
  return std::ranges::all_of(attempt.tasks, [&](const TaskStatus& task) {
    const TaskExit& exit = *task.exit;
    return done ? exit.exit_code == 0 || agent_was_asked_to_stop(attempt, task, spec)
                : exit.by == EndedBy::exit && exit.exit_code == 0;
  });
}

// When the first task stopped on request. From then on its peers lack a member and fail because of that, whether or not
// they have got the request themselves.
std::uint64_t first_gone(const Attempt& attempt, const JobSpec& spec) {
  auto first = std::numeric_limits<std::uint64_t>::max();
  for (const auto& task : attempt.tasks)
    if (was_asked_to_stop(*task.exit) && ended_as_asked(attempt, task, spec)) first = std::min(first, task.ended_seq);
  return first;
}

bool is_own_end(const TaskExit& exit) {
  return exit.by == EndedBy::exit || exit.by == EndedBy::signal || was_asked_to_stop(exit);
}

AttemptOutcome after_preemption(const Attempt& attempt, const JobSpec& spec) {
  if (has_completed(attempt, spec)) return completed();
  const auto other = first_failure(attempt, spec, [&, gone = first_gone(attempt, spec)](const TaskStatus& task) {
    return ended_as_asked(attempt, task, spec) || (task.ended_seq > gone && is_own_end(*task.exit));
  });
  if (other) return from_culprit(attempt, *other, of_its_own(*other->task->exit));
  const auto message = attempt.yields_to ? "preempted for job " + to_string(*attempt.yields_to) : "preempted";
  return stopped(attempt.tasks.front().exit.value(), EndedBy::preempted, message);
}

std::int32_t allowed(const RetryPolicy& policy, RetryCause cause) {
  switch (cause) {
    case RetryCause::infra: return policy.infra_max;
    case RetryCause::error: return policy.error_max;
    case RetryCause::launch: return RetryPolicy::kUnlimited;
    case RetryCause::preempted: break;
  }
  return policy.preempted_max;
}

// Doubles with every retry of the same cause. A preempted job waits for capacity, not
// for a cure: it goes back at once.
Duration backoff(const RetryPolicy& policy, RetryCause cause, std::int32_t retries) {
  if (cause == RetryCause::preempted) return {};
  const bool launch = cause == RetryCause::launch;
  const auto first = launch ? kLaunchBackoff : policy.backoff;
  const auto most = launch ? kLaunchBackoffMax : policy.backoff_max;
  return {std::min(first.ms << std::min(retries, 20), most.ms)};
}

std::optional<RetryCause> retry_cause(const AttemptOutcome& outcome) {
  if (outcome.of_executor) return RetryCause::launch;
  switch (outcome.by) {
    case EndedBy::lost: return RetryCause::infra;
    case EndedBy::start_failed: return outcome.permanent ? std::nullopt : std::optional(RetryCause::infra);
    case EndedBy::exit:
    case EndedBy::signal:
    case EndedBy::oom: return RetryCause::error;
    case EndedBy::preempted: return RetryCause::preempted;
    case EndedBy::time_limit:
    case EndedBy::cancelled: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

AttemptOutcome outcome_of(const Attempt& attempt, const JobSpec& spec) {
  YM_ASSERT(!attempt.tasks.empty());
  const TaskExit& any = *attempt.tasks.front().exit;
  if (attempt.stop_cause == StopCause::cancel) return stopped(any, EndedBy::cancelled, "cancelled");
  if (attempt.stop_cause == StopCause::preemption) return after_preemption(attempt, spec);
  const auto none = [](const TaskStatus&) { return false; };
  if (const auto failure = first_failure(attempt, spec, none))
    return from_culprit(attempt, *failure, from_exit(*failure->task->exit));
  return completed();
}

std::variant<Finish, Retry> after_attempt(const Job& job, const AttemptOutcome& outcome) {
  if (job.cancel_requested) return Finish{JobState::cancelled, "cancelled"};
  if (outcome.by == EndedBy::exit && outcome.exit_code == 0) return Finish{JobState::succeeded, outcome.message};
  if (outcome.by == EndedBy::time_limit) return Finish{JobState::timed_out, outcome.message};
  const auto cause = retry_cause(outcome);
  if (!cause) return Finish{JobState::failed, outcome.message};
  const auto limit = allowed(job.spec->retry, *cause);
  const auto retries = count_of(job.retries, *cause);
  if (limit != RetryPolicy::kUnlimited && retries >= limit) {
    const auto after = retries == 0 ? "" : fmt::format(" (after {} retries)", retries);
    return Finish{JobState::failed, outcome.message + after};
  }
  return Retry{*cause, backoff(job.spec->retry, *cause, retries), outcome.message};
}

}  // namespace ym
