// RemoteAttempt: the launch barrier, and calls of the executor.
#include <algorithm>
#include <utility>

#include "executor/remote/remote_attempt.h"

namespace ym::remote {
namespace {

constexpr Duration kLongestGrace = hours(24 * 366);

}  // namespace

// Stored claims are granted, even if other agents have claimed since.
void RemoteAttempt::ask_for_gate() {
  if (asked_ || stop_ || is_released() || (gate_ != Gate::closed && gate_ != Gate::granted)) return;
  const bool whole = std::ranges::all_of(tasks_, [](const Task& t) { return t.claim.has_value(); });
  const bool some_ended = std::ranges::any_of(tasks_, [](const Task& t) { return t.ended; });
  const bool some_wait = std::ranges::any_of(
      tasks_, [](const Task& t) { return t.was_heard && t.state == TaskReport::State::waiting && !t.ended; });
  if (!whole || !some_wait || (gate_ == Gate::closed && some_ended)) return;
  asked_ = true;
  GangIsWaiting gang;
  for (const auto& task : tasks_) gang.claims.push_back(*task.claim);
  say(std::move(gang));
}

void RemoteAttempt::open_gate(std::span<const TaskClaim> claims, Instant now) {
  if (stop_ || is_released() || gate_ == Gate::open || gate_ == Gate::released || claims.size() != tasks_.size())
    return;
  auto plan = LaunchPlan::make(request_, claims, launch_rules(options_));
  if (!plan) return say(LaunchRefused{.message = plan.error().message, .permanent = true});
  plan_ = std::move(*plan);
  for (std::size_t n = 0; n < tasks_.size(); ++n) {
    if (tasks_[n].claim != claims[n]) tasks_[n].state = TaskReport::State::waiting;
    tasks_[n].claim = claims[n];
  }
  gate_ = Gate::open;
  was_open_ = true;
  bump_all(now);
}

void RemoteAttempt::release_gate(StopCause cause, Instant now) {
  gate_ = Gate::released;
  gate_released_at_ = now;
  cause_ = cause;
  bump_all(now);
}

bool RemoteAttempt::stop(const StopRequest& request, Instant now) {
  const Instant deadline = now + std::min(request.grace, kLongestGrace);
  if (stop_) {
    stop_->deadline = std::min(stop_->deadline, deadline);
  } else {
    stop_ = Stop{request, deadline};
    if (gate_ != Gate::released) cause_ = request.cause;
  }
  if (gate_ == Gate::closed) release_gate(request.cause, now);
  else bump_all(now);
  return was_open_;
}

bool RemoteAttempt::close_gate(Instant now) {
  if (was_open_) return false;
  if (gate_ == Gate::closed) release_gate(StopCause::start_timeout, now);
  return true;
}

bool RemoteAttempt::leave_behind(const std::string& why, Instant now) {
  const bool is_about_to_begin = asked_ && !stop_;
  if (is_about_to_begin || is_released() || !close_gate(now)) return false;
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
