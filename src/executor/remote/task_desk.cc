#include "executor/remote/task_desk.h"

#include <fmt/format.h>

#include <utility>

#include "executor/remote/outbox.h"
#include "executor/remote/remote_attempt.h"
#include "executor/remote/watches.h"

namespace ym::remote {

struct TaskDesk::State {
  State(const Clock& its_clock, DeskOptions its_options) : clock(its_clock), options(std::move(its_options)) {}

  const Clock& clock;
  const DeskOptions options;
  Outbox outbox;
  const std::shared_ptr<Watches> watches = std::make_shared<Watches>();

  std::mutex mutex;
  bool started = false;                          // under mutex
  std::map<AttemptKey, RemoteAttempt> attempts;  // under mutex
  std::map<AttemptKey, RemoteAttempt>::iterator find(const Token& token) {
    const auto it = attempts.find(token.key());
    return it != attempts.end() && it->second.token() == token ? it : attempts.end();
  }

  // `act` gets the attempt, under the lock, and the time; then what came of it goes out.
  template <class Act>
  void act_on(const Token& token, const Act& act) {
    bool changed = false;
    {
      const std::lock_guard lock{mutex};
      const auto it = find(token);
      if (it == attempts.end()) return;
      act(it->second, clock.now());
      changed = collect(it->second);
    }
    if (changed) watches->wake(token.key());
    flush();
  }
  // Under the lock, so that they keep their order.
  bool collect(RemoteAttempt& attempt) {
    outbox.put(attempt.take_observations());
    return attempt.take_changed();
  }
  void flush() {
    outbox.flush([this](const Observation& observation) {
      const auto* ended = std::get_if<TaskHasEnded>(&observation.what);
      if (!ended) return;
      const std::lock_guard lock{mutex};
      const auto it = find(observation.token);
      if (it != attempts.end()) it->second.end_was_told(ended->task, clock.now());
    });
  }
  // Errors: as TaskLink::report. Precondition: the lock is held.
  Result<RemoteAttempt*> task_of(const TaskKey& key) {
    // Before start() nobody can say that an attempt is over.
    if (!started) return fail(ErrorCode::unavailable, "the server is starting; try again");
    const auto it = attempts.find(key.attempt);
    if (it == attempts.end() || !it->second.has_task(key.task))
      return fail(ErrorCode::not_found, "there is no such task, or it is over");
    return &it->second;
  }
};

TaskDesk::TaskDesk(const Clock& clock, DeskOptions options)
    : state_(std::make_shared<State>(clock, std::move(options))) {}

TaskDesk::~TaskDesk() = default;

void TaskDesk::start(ObservationSink sink, std::span<const LiveAttempt> live) {
  state_->outbox.open(std::move(sink));
  {
    const std::lock_guard lock{state_->mutex};
    const auto now = state_->clock.now();
    for (const auto& attempt : live) state_->attempts.try_emplace(attempt.token().key(), state_->options, attempt, now);
    state_->started = true;
  }
  state_->flush();
}

bool TaskDesk::launch(LaunchRequest request) {
  const Token token = request.token;
  const auto good = LaunchPlan::check(request, launch_rules(state_->options));
  if (!good) {
    say({token, LaunchRefused{.message = good.error().message, .permanent = true}});
    return false;
  }
  const std::lock_guard lock{state_->mutex};
  if (const auto it = state_->find(token); it != state_->attempts.end()) {
    it->second.launch_again(std::move(request));
    return true;
  }
  state_->attempts.erase(token.key());  // of another epoch: over
  state_->attempts.try_emplace(token.key(), state_->options, std::move(request), state_->clock.now());
  return true;
}

void TaskDesk::open_gate(const Token& token, std::span<const TaskClaim> claims) {
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { attempt.open_gate(claims, now); });
}

bool TaskDesk::stop(const Token& token, const StopRequest& request) {
  bool was_open = false;
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { was_open = attempt.stop(request, now); });
  return was_open;
}

bool TaskDesk::close_gate(const Token& token) {
  bool closed = false;
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { closed = attempt.close_gate(now); });
  return closed;
}

void TaskDesk::leave_cluster(const std::string& cluster) {
  const auto why = fmt::format("cluster {} does not answer, and it had not begun there", cluster);
  for (const auto& token : live()) leave_behind(token, why);
}

bool TaskDesk::leave_behind(const Token& token, const std::string& why) {
  bool left = false;
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { left = attempt.leave_behind(why, now); });
  return left;
}

void TaskDesk::deliver(const Token& token, const Secret& job_token) {
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) { attempt.deliver(job_token, now); });
}

void TaskDesk::release(const Token& token) {
  state_->act_on(token, [](RemoteAttempt& attempt, Instant now) { attempt.release(now); });
}

void TaskDesk::cluster_says(const Token& token, std::int32_t task, ClusterWord word) {
  state_->act_on(token, [&](RemoteAttempt& attempt, Instant now) {
    if (attempt.has_task(task) && !attempt.is_released()) attempt.cluster_says(task, std::move(word), now);
  });
}

void TaskDesk::cluster_knows_nothing(const Token& token) {
  state_->act_on(token, [](RemoteAttempt& attempt, Instant now) { attempt.cluster_knows_nothing(now); });
}

void TaskDesk::say(Observation observation) {
  std::vector<Observation> one;
  one.push_back(std::move(observation));
  state_->outbox.put(std::move(one));
  state_->flush();
}

std::vector<KillTask> TaskDesk::due() {
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

bool TaskDesk::knows(const Token& token) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->find(token);
  return it != state_->attempts.end() && !it->second.is_released();
}

std::vector<Token> TaskDesk::live() const {
  const std::lock_guard lock{state_->mutex};
  std::vector<Token> tokens;
  for (const auto& [key, attempt] : state_->attempts)
    if (!attempt.is_released()) tokens.push_back(attempt.token());
  return tokens;
}

std::optional<LaunchRequest> TaskDesk::request(const Token& token) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->find(token);
  return it == state_->attempts.end() ? std::nullopt : std::optional(it->second.request());
}

bool TaskDesk::gate_is_open(const Token& token) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->find(token);
  return it != state_->attempts.end() && it->second.gate_is_open();
}

std::optional<std::int64_t> TaskDesk::log_bytes(const TaskKey& task) const {
  const std::lock_guard lock{state_->mutex};
  const auto it = state_->attempts.find(task.attempt);
  if (it == state_->attempts.end() || !it->second.has_task(task.task)) return std::nullopt;
  return it->second.log_bytes(task.task);
}

Result<std::string> TaskDesk::report(const TaskKey& task, std::string_view text) {
  auto report = decode_report(text);
  if (!report) return std::unexpected(report.error());
  Result<std::string> answer;
  bool changed = false;
  {
    const std::lock_guard lock{state_->mutex};
    const auto attempt = state_->task_of(task);
    if (!attempt) return std::unexpected(attempt.error());
    if (report->token != (*attempt)->token()) return fail(ErrorCode::not_found, "that launch of the attempt is over");
    auto orders = (*attempt)->hear(task.task, std::move(*report), state_->clock.now());
    answer = orders ? Result<std::string>(encode(*orders)) : std::unexpected(orders.error());
    changed = state_->collect(**attempt);
  }
  if (changed) state_->watches->wake(task.attempt);
  state_->flush();
  return answer;
}

Result<std::optional<std::string>> TaskDesk::orders(const TaskKey& task, std::string_view nonce,
                                                    std::uint64_t version) {
  Result<std::optional<std::string>> answer;
  {
    const std::lock_guard lock{state_->mutex};
    const auto attempt = state_->task_of(task);
    if (!attempt) return std::unexpected(attempt.error());
    const auto orders = (*attempt)->orders(task.task, nonce, version, state_->clock.now());
    if (!orders) answer = std::unexpected(orders.error());
    else if (*orders) answer = encode(**orders);
    static_cast<void>(state_->collect(**attempt));
  }
  state_->flush();
  return answer;
}

std::shared_ptr<void> TaskDesk::watch(const AttemptKey& attempt, std::function<void()> wake) {
  return state_->watches->add(attempt, std::move(wake));
}

}  // namespace ym::remote
