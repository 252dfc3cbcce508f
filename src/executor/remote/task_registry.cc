#include "executor/remote/task_registry.h"

#include <fmt/format.h>

#include <utility>

#include "executor/remote/task_registry_state.h"

namespace ym::remote {
namespace {

// Another attempt may start, so this is not permanent.
LaunchRefused stopped_early() { return {.message = "it was stopped before it was launched"}; }

}  // namespace

TaskRegistry::TaskRegistry(const Clock& clock, RegistryOptions options)
    : state_(std::make_shared<State>(clock, std::move(options))) {}

TaskRegistry::~TaskRegistry() = default;

void TaskRegistry::know_lost(IsLost is_lost) { state_->lost.know(std::move(is_lost)); }

void TaskRegistry::start(ObservationSink sink, std::span<const LiveAttempt> live) {
  state_->ordered_queue.open(std::move(sink));
  {
    const std::lock_guard lock{state_->mutex};
    const auto now = state_->clock.now();
    for (const auto& attempt : live) state_->attempts.try_emplace(attempt.token().key(), state_->options, attempt, now);
    state_->started = true;
  }
  state_->flush();
}

bool TaskRegistry::launch(LaunchRequest request) {
  const Token token = request.token;
  const auto good = LaunchPlan::check(request, launch_rules(state_->options));
  if (!good) {
    say({token, LaunchRefused{.message = good.error().message, .permanent = true}});
    return false;
  }
  if (state_->take_launch(std::move(request))) return true;
  say({token, stopped_early()});
  return false;
}

void TaskRegistry::open_barrier(const Token& token, std::span<const TaskClaim> claims) {
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { attempt.open_barrier(claims, now); });
}

bool TaskRegistry::stop(const Token& token, const StopRequest& request) {
  if (state_->stop_early(token)) {
    say({token, stopped_early()});
    return false;
  }
  bool was_open = false;
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { was_open = attempt.stop(request, now); });
  return was_open;
}

bool TaskRegistry::close_barrier(const Token& token) {
  bool closed = false;
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { closed = attempt.close_barrier(now); });
  return closed;
}

void TaskRegistry::leave_cluster(const std::string& cluster) {
  const auto why = fmt::format("cluster {} does not answer, and the job had not begun there", cluster);
  for (const auto& token : live()) leave_behind(token, why);
}

bool TaskRegistry::leave_behind(const Token& token, const std::string& why) {
  bool left = false;
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { left = attempt.leave_behind(why, now); });
  return left;
}

void TaskRegistry::deliver(const Token& token, const Secret& job_token) {
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { attempt.deliver(job_token, now); });
}

void TaskRegistry::release(const Token& token) {
  state_->forget_early_stop(token);
  state_->act_on(token, [](RemoteAttempt& attempt, Instant now) { attempt.release(now); });
}

void TaskRegistry::cluster_says(const Token& token, std::int32_t task, ClusterReport report) {
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) {
    if (attempt.has_task(task) && !attempt.is_released()) attempt.cluster_says(task, std::move(report), now);
  });
}

void TaskRegistry::cluster_knows_nothing(const Token& token) {
  state_->act_on(token, [](RemoteAttempt& attempt, Instant now) { attempt.cluster_knows_nothing(now); });
}

void TaskRegistry::say(Observation observation) {
  std::vector<Observation> one;
  one.push_back(std::move(observation));
  state_->ordered_queue.put(std::move(one));
  state_->flush();
}

std::vector<KillTask> TaskRegistry::due() {
  std::vector<KillTask> kills;
  std::vector<AttemptKey> changed;
  {
    const std::lock_guard lock{state_->mutex};
    const auto now = state_->clock.now();
    std::erase_if(state_->attempts, [now](const auto& entry) { return entry.second.may_be_forgotten(now); });
    for (auto& [key, attempt] : state_->attempts) {
      attempt.tick(now, kills);
      if (state_->collect(attempt)) changed.push_back(key);
    }
  }
  for (const auto& key : changed) state_->watches->wake(key);
  state_->flush();
  return kills;
}

bool TaskRegistry::knows(const Token& token) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->find(token);
  return it != state_->attempts.end() && !it->second.is_released();
}

std::vector<Token> TaskRegistry::live() const {
  const std::lock_guard lock{state_->mutex};
  std::vector<Token> tokens;
  for (const auto& [key, attempt] : state_->attempts)
    if (!attempt.is_released()) tokens.push_back(attempt.token());
  return tokens;
}

std::optional<LaunchRequest> TaskRegistry::request(const Token& token) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->find(token);
  return it == state_->attempts.end() ? std::nullopt : std::optional(it->second.request());
}

bool TaskRegistry::barrier_is_open(const Token& token) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->find(token);
  return it != state_->attempts.end() && it->second.barrier_is_open();
}

std::optional<std::int64_t> TaskRegistry::log_bytes(const TaskKey& task) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->attempts.find(task.attempt);
  if (it == state_->attempts.end() || !it->second.has_task(task.task)) return std::nullopt;
  return it->second.log_bytes(task.task);
}

}  // namespace ym::remote
