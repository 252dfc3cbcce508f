// RemoteAttempt: reports of task agents, and the answers.
#include "executor/remote/remote_attempt.h"

#include <spdlog/spdlog.h>
#include <algorithm>
#include <utility>

#include "spec/progress_report.h"

namespace ym::remote {
namespace {

std::unexpected<Error> over() { return fail(ErrorCode::not_found, "this task of the attempt is over"); }
std::unexpected<Error> taken() { return fail(ErrorCode::conflict, "another task agent has this task"); }

bool ran(const TaskReport& report) {
  return report.state == TaskReport::State::running || (report.exit && report.exit->by != EndedBy::start_failed);
}

constexpr Duration kLongestGrace = hours(24 * 366);

}  // namespace

RemoteAttempt::RemoteAttempt(const RegistryOptions& options, LaunchRequest request, Instant now)
    : options_(options), request_(std::move(request)), tasks_(request_.placement.size()), since_(now) {
  for (auto& task : tasks_) task.heard = now;
  bump_all(now);
}

RemoteAttempt::RemoteAttempt(const RegistryOptions& options, const LiveAttempt& live, Instant now)
    : RemoteAttempt(options, live.request, now) {
  restored_ = contact_in_doubt_ = true;
  for (std::size_t n = 0; n < std::min(tasks_.size(), live.tasks.size()); ++n) {
    Task& task = tasks_[n];
    task.in_sight = false;
    task.claim = live.tasks[n].claim;
    was_open_ = was_open_ || task.claim.has_value();
    task.ended = task.end_stored = live.tasks[n].state == TaskState::ended;
    if (live.tasks[n].state == TaskState::running) task.state = TaskReport::State::running;
  }
  adopted_ = live.adopted && !was_open_;
  if (!was_open_ && !adopted_) return;
  barrier_ = adopted_ ? Barrier::released : Barrier::granted;
  was_open_ = true;
  for (auto& task : tasks_) task.may_have_begun = true;
}

// By the clock, so that versions of an earlier server are lower.
void RemoteAttempt::bump(Task& task, Instant now) {
  task.version = std::max(task.version + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(now.ms, 0)) * 1000);
  changed_ = true;
}

void RemoteAttempt::bump_all(Instant now) {
  for (auto& task : tasks_) bump(task, now);
}

Result<TaskOrders> RemoteAttempt::hear(std::int32_t n, TaskReport report, Instant now) {
  Task& which = task(n);
  if (auto admitted = admit(which, report, now); !admitted) return std::unexpected(admitted.error());
  which.heard = now;
  which.was_heard = which.in_sight = true;
  restored_ = false;
  look_for_contact(now);
  learn(which, std::move(report), now);
  ask_for_barrier();
  return orders_of(which, now);
}

Result<void> RemoteAttempt::admit(Task& task, const TaskReport& report, Instant now) {
  const bool ended = report.state == TaskReport::State::ended;
  if (!task.claim || task.claim->nonce != report.nonce) {
    if (auto good = admit_newcomer(task, report, now); !good) return good;
    take_claim(task, report, now);
  } else if (is_released() ? !(task.ended && ended) : task.ended && !ended) {
    return over();
  }
  if (ran(report) && !was_open_) return fail_field("/state", "cannot be: its launch barrier was never opened");
  task.ran = task.ran || ran(report);
  return {};
}

Result<void> RemoteAttempt::admit_newcomer(const Task& task, const TaskReport& report, Instant now) const {
  if (is_released() || task.ended) return over();
  if (adopted_) return admit_unknown(task, report, now);
  if (was_open_) return taken();
  if (task.claim && now - task.heard < options_.claim_timeout) return taken();
  // An agent that says that its user code ran was let in under another claim, which this attempt never had.
  return ran(report) ? Result<void>(taken()) : Result<void>();
}

// An agent that waits has the task only until an agent comes with user code that ran. If the task is stored as running,
// its agent does not wait.
Result<void> RemoteAttempt::admit_unknown(const Task& task, const TaskReport& report, Instant now) const {
  if (task.ran) return taken();
  if (ran(report)) return {};
  if (task.state == TaskReport::State::running) return taken();
  return task.claim && now - task.heard < options_.claim_timeout ? Result<void>(taken()) : Result<void>();
}

void RemoteAttempt::take_claim(Task& task, const TaskReport& report, Instant now) {
  task.claim = report.claim;
  task.state = TaskReport::State::waiting;
  asked_ = false;
  if (!first_claim_at_) first_claim_at_ = now;
  bump(task, now);
  if (accepted_told_) return;
  accepted_told_ = true;
  // The server may have been restarted between the cluster's answer and LaunchAccepted.
  if (restored_) say(LaunchAccepted{});
  say(LaunchPreparing{});
}

void RemoteAttempt::learn(Task& task, TaskReport report, Instant now) {
  if (task.ended) return;
  learn_gone(report.checkpoints_gone);
  if (ran(report)) tell_running(task);
  if (was_open_) learn_progress(task, report.progress, now);
  task.state = std::max(task.state, report.state);
  if (!report.exit) return;
  task.log_bytes = report.log_bytes;
  end(task, std::move(*report.exit), now);
}

// A checkpoint without a time gets the time of its report.
void RemoteAttempt::learn_progress(Task& task, const std::vector<RawProgress>& progress, Instant now) {
  for (const auto& raw : progress) {
    if (raw.number <= task.progress_heard) continue;
    task.progress_heard = raw.number;
    auto parsed = parse_progress_report(raw.text, std::min(raw.at, now));
    if (parsed) say(ProgressIsReported{std::move(*parsed)});
    else if (!std::exchange(bad_progress_told_, true))
      spdlog::warn("job {}, attempt {}: a progress report of task {} cannot be read and is ignored: {}",
                   to_string(token().job), token().attempt, number_of(task), parsed.error().message);
  }
}

// Only checkpoints that the attempt was to resume from.
void RemoteAttempt::learn_gone(const std::vector<Checkpoint>& gone) {
  for (const auto& checkpoint : gone) {
    const auto is_in = [&](const auto& list) { return std::ranges::find(list, checkpoint) != list.end(); };
    if (!is_in(request_.checkpoints) || is_in(gone_told_)) continue;
    gone_told_.push_back(checkpoint);
    say(CheckpointIsGone{checkpoint});
  }
}

void RemoteAttempt::tell_running(Task& task) {
  task.may_have_begun = true;
  if (std::exchange(task.running_told, true)) return;
  say(TaskIsRunning{number_of(task)});
}

void RemoteAttempt::end(Task& task, TaskExit exit, Instant now) {
  task.ended = true;
  task.state = TaskReport::State::ended;
  exit.at = exit.at.ms > 0 ? std::min(exit.at, now) : now;
  say(TaskHasEnded{number_of(task), std::move(exit)});
}

Result<std::optional<TaskOrders>> RemoteAttempt::orders(std::int32_t n, std::string_view nonce, std::uint64_t version,
                                                        Instant now) {
  Task& which = task(n);
  // An agent with a claim from an earlier server must report again, with what has happened since.
  if ((!which.claim || !which.was_heard) && !is_released() && !which.ended)
    return fail(ErrorCode::unavailable, "the task has not reported yet; report first");
  if (!which.claim || which.claim->nonce != nonce)
    return is_released() || which.ended ? std::unexpected(over().error()) : std::unexpected(taken().error());
  const bool runs_on = which.state != TaskReport::State::ended;
  if (which.ended ? runs_on : is_released()) return over();
  which.heard = now;
  which.in_sight = true;
  restored_ = false;
  look_for_contact(now);
  // A different version, not a greater one: a clock that was set back must not keep orders from the agent.
  if (version == which.version) return std::nullopt;
  return orders_of(which, now);
}

TaskOrders RemoteAttempt::orders_of(Task& task, Instant now) {
  TaskOrders orders{.version = task.version,
                    .cause = cause_,
                    .progress_heard = task.progress_heard,
                    .end_stored = task.ended && (is_released() || task.end_stored)};
  if (stop_ || barrier_ == Barrier::released) orders.barrier = TaskOrders::Barrier::release;
  else if (barrier_ == Barrier::open) orders.barrier = TaskOrders::Barrier::go;
  if (orders.barrier == TaskOrders::Barrier::go && task.state == TaskReport::State::waiting) {
    task.may_have_begun = true;
    orders.launch = plan_->of_task(number_of(task));
  }
  if (stop_ && was_open_) {
    orders.stop = stop_->request;
    orders.stop->grace = {std::max<std::int64_t>((stop_->deadline - now).ms, 0)};
  }
  if (request_.contact) orders.job_token = renewed_ ? renewed_->reveal() : request_.contact->token.reveal();
  return orders;
}

// Stored claims are granted, even if other agents have claimed since.
void RemoteAttempt::ask_for_barrier() {
  if (asked_ || stop_ || is_released() || (barrier_ != Barrier::closed && barrier_ != Barrier::granted)) return;
  const bool whole = std::ranges::all_of(tasks_, [](const Task& t) { return t.claim.has_value(); });
  const bool some_ended = std::ranges::any_of(tasks_, [](const Task& t) { return t.ended; });
  const bool some_wait = std::ranges::any_of(
      tasks_, [](const Task& t) { return t.was_heard && t.state == TaskReport::State::waiting && !t.ended; });
  if (!whole || !some_wait || (barrier_ == Barrier::closed && some_ended)) return;
  asked_ = true;
  GangIsWaiting gang;
  for (const auto& task : tasks_) gang.claims.push_back(*task.claim);
  say(std::move(gang));
}

void RemoteAttempt::open_barrier(std::span<const TaskClaim> claims, Instant now) {
  if (stop_ || is_released() || barrier_ == Barrier::open || barrier_ == Barrier::released ||
      claims.size() != tasks_.size())
    return;
  auto plan = LaunchPlan::make(request_, claims, launch_rules(options_));
  if (!plan) return say(LaunchRefused{.message = plan.error().message, .permanent = true});
  plan_ = std::move(*plan);
  for (std::size_t n = 0; n < tasks_.size(); ++n) {
    if (tasks_[n].claim != claims[n]) tasks_[n].state = TaskReport::State::waiting;
    tasks_[n].claim = claims[n];
  }
  barrier_ = Barrier::open;
  was_open_ = true;
  bump_all(now);
}

void RemoteAttempt::release_barrier(StopCause cause, Instant now) {
  barrier_ = Barrier::released;
  barrier_released_at_ = now;
  cause_ = cause;
  bump_all(now);
}

bool RemoteAttempt::stop(const StopRequest& request, Instant now) {
  const Instant deadline = now + std::min(request.grace, kLongestGrace);
  if (stop_) {
    stop_->deadline = std::min(stop_->deadline, deadline);
  } else {
    stop_ = Stop{request, deadline};
    if (barrier_ != Barrier::released) cause_ = request.cause;
  }
  if (barrier_ == Barrier::closed) release_barrier(request.cause, now);
  else bump_all(now);
  return was_open_;
}

bool RemoteAttempt::close_barrier(Instant now) {
  if (was_open_) return false;
  if (barrier_ == Barrier::closed) release_barrier(StopCause::start_timeout, now);
  return true;
}

bool RemoteAttempt::leave_behind(const std::string& why, Instant now) {
  const bool is_about_to_begin = asked_ && !stop_;
  if (is_about_to_begin || is_released() || !close_barrier(now)) return false;
  if (!std::exchange(left_behind_, true)) say(LaunchRefused{.message = why, .of_executor = true});
  return true;
}

void RemoteAttempt::deliver(const Secret& job_token, Instant now) {
  if (!request_.contact) return;
  renewed_ = job_token;
  bump_all(now);
}

void RemoteAttempt::release(Instant now) {
  if (is_released()) return;
  released_at_ = now;
  bump_all(now);
}

void RemoteAttempt::launch_again(LaunchRequest request) {
  if (!unknown_told_) return;
  request_ = std::move(request);
  renewed_.reset();
  restored_ = knows_nothing_ = unknown_told_ = false;
  for (auto& task : tasks_) task.in_sight = true;
}

}  // namespace ym::remote
