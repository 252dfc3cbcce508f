#include "control/outcome.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "control/reasons.h"
#include "model/retry_counts.h"

namespace ym {
namespace {

// Of an executor that cannot launch: long enough not to add to its trouble, short enough
// to go on soon after it is over.
constexpr Duration kLaunchBackoff = seconds(5);
constexpr Duration kLaunchBackoffMax = minutes(5);

// Which member's end explains the others', the smallest first. One that was lost takes
// its peers with it, but is found dead only later; one that could not start is why nobody
// went on; one that is being stopped at its time limit uses its grace while its peers
// already see it go.
int weight(const TaskExit& exit) {
  switch (exit.by) {
    case EndedBy::lost: return 0;
    case EndedBy::start_failed: return exit.permanent ? 1 : 2;
    case EndedBy::time_limit: return 3;
    default: return 4;
  }
}

// The order in which ends were recorded, not their times: those come from clocks that
// may be set, and of several machines.
const TaskExit* first_failure(const Attempt& attempt) {
  const TaskStatus* first = nullptr;
  const auto rank = [](const TaskStatus& task) { return std::pair(weight(*task.exit), task.ended_seq); };
  for (const auto& task : attempt.tasks)
    if (failed(*task.exit) && (!first || rank(task) < rank(*first))) first = &task;
  return first ? &*first->exit : nullptr;
}

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

bool failed(const TaskExit& exit) { return exit.by != EndedBy::exit || exit.exit_code != 0; }

AttemptOutcome outcome_of(const Attempt& attempt) {
  YM_ASSERT(!attempt.tasks.empty());
  const TaskExit& any = *attempt.tasks.front().exit;
  if (attempt.stop_cause == StopCause::cancel) return stopped(any, EndedBy::cancelled, "cancelled");
  if (attempt.stop_cause == StopCause::preemption) return stopped(any, EndedBy::preempted, "preempted");
  if (attempt.stop_cause == StopCause::start_timeout) {
    return stopped(any, EndedBy::start_failed, "not every task of the gang was ready in time");
  }
  if (const auto* failure = first_failure(attempt)) return from_exit(*failure);
  return {.by = EndedBy::exit, .exit_code = 0, .message = "completed"};
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
