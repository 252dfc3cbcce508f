// TaskRegistry: requests of task agents.
#include <algorithm>

#include "executor/remote/task_registry_state.h"

namespace ym::remote {
namespace {

std::unexpected<Error> report_first() {
  return fail(ErrorCode::unavailable, "the task has not reported yet; report first");
}

bool is_last_word(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::conflict;
}

// For an unknown launch. An agent that waits at its barrier would wait forever. An agent with an open barrier does not
// look at the barrier any more.
Result<std::string> answer_to_lost(const TaskReport& report, Instant now) {
  const bool never_ran = report.exit && report.exit->by == EndedBy::start_failed;
  if (report.state != TaskReport::State::waiting && !never_ran)
    return fail(ErrorCode::unavailable, "this server's state does not know the launch, and leaves it alone");
  return encode(TaskOrders{.version = static_cast<std::uint64_t>(std::max<std::int64_t>(now.ms, 0)) * 1000,
                           .barrier = TaskOrders::Barrier::release,
                           .end_stored = never_ran});
}

}  // namespace

Result<std::string> TaskRegistry::report(const TaskKey& task, std::string_view text) {
  auto report = decode_report(text);
  if (!report) return std::unexpected(report.error());
  Result<std::string> answer = fail(ErrorCode::not_found, "that launch of the attempt is over");
  bool is_known = false, changed = false;
  {
    const std::lock_guard lock{state_->mutex};
    const auto attempt = state_->task_of(task);
    if (!attempt) answer = std::unexpected(attempt.error());
    is_known = attempt && report->token == (*attempt)->token();
    if (is_known) {
      auto orders = (*attempt)->hear(task.task, std::move(*report), state_->clock.now());
      answer = orders ? Result<std::string>(encode(*orders)) : std::unexpected(orders.error());
      changed = state_->collect(**attempt);
    }
  }
  if (!is_known) {
    const auto now = state_->clock.now();
    if (!is_last_word(answer.error()) || report->token.key() != task.attempt) return answer;
    return state_->lost.is_lost(report->token, now) ? answer_to_lost(*report, now) : answer;
  }
  if (changed) state_->watches->wake(task.attempt);
  state_->flush();
  return answer;
}

Result<std::optional<std::string>> TaskRegistry::orders(const TaskKey& task, std::string_view nonce,
                                                        std::uint64_t version) {
  Result<std::optional<std::string>> answer;
  {
    const std::lock_guard lock{state_->mutex};
    const auto attempt = state_->task_of(task);
    // For a nonce that no task here has claimed, the launch is unknown.
    const bool is_known = attempt && (*attempt)->has_claim(task.task, nonce);
    const auto orders =
        attempt ? (*attempt)->orders(task.task, nonce, version, state_->clock.now()) : std::unexpected(attempt.error());
    if (orders && *orders) answer = encode(**orders);
    else if (!orders && !is_known && is_last_word(orders.error()) && state_->lost.is_told()) answer = report_first();
    else if (!orders) answer = std::unexpected(orders.error());
    if (attempt) static_cast<void>(state_->collect(**attempt));
  }
  state_->flush();
  return answer;
}

std::shared_ptr<void> TaskRegistry::watch(const AttemptKey& attempt, std::function<void()> wake) {
  return state_->watches->add(attempt, std::move(wake));
}

}  // namespace ym::remote
