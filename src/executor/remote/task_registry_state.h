// The state of TaskRegistry: the data under its lock, and how observations leave it. Private to this library.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "executor/remote/lost_tokens.h"
#include "executor/remote/ordered_queue.h"
#include "executor/remote/remote_attempt.h"
#include "executor/remote/watches.h"

namespace ym::remote {

struct TaskRegistry::State {
  State(const Clock& its_clock, RegistryOptions its_options) : clock(its_clock), options(std::move(its_options)) {}

  const Clock& clock;
  const RegistryOptions options;
  OrderedQueue ordered_queue;
  const std::shared_ptr<Watches> watches = std::make_shared<Watches>();
  LostTokens lost;

  std::mutex mutex;
  bool started = false;                          // under mutex
  std::map<AttemptKey, RemoteAttempt> attempts;  // under mutex
  std::set<Token> stopped_early;                 // under mutex: before their launch
  std::map<AttemptKey, RemoteAttempt>::iterator find(const Token& token) {
    const auto it = attempts.find(token.key());
    return it != attempts.end() && it->second.token() == token ? it : attempts.end();
  }

  // False: its stop came before it.
  bool take_launch(LaunchRequest request) {
    const std::lock_guard lock{mutex};
    const Token token = request.token;
    if (stopped_early.contains(token)) return false;
    if (const auto it = find(token); it != attempts.end()) {
      it->second.launch_again(std::move(request));
      return true;
    }
    attempts.erase(token.key());  // of another epoch, which is over
    attempts.try_emplace(token.key(), options, std::move(request), clock.now());
    return true;
  }
  // False: the token is known.
  bool stop_early(const Token& token) {
    const std::lock_guard lock{mutex};
    if (find(token) != attempts.end()) return false;
    stopped_early.insert(token);
    return true;
  }
  void forget_early_stop(const Token& token) {
    const std::lock_guard lock{mutex};
    stopped_early.erase(token);
  }

  // Calls `act` with the attempt and the time, under the lock. Then delivers the results.
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
  // Under the lock, to keep the order of observations.
  bool collect(RemoteAttempt& attempt) {
    ordered_queue.put(attempt.take_observations());
    return attempt.take_changed();
  }
  void flush() {
    ordered_queue.flush([this](const Observation& observation) {
      const auto* ended = std::get_if<TaskHasEnded>(&observation.what);
      if (!ended) return;
      const std::lock_guard lock{mutex};
      const auto it = find(observation.token);
      if (it != attempts.end()) it->second.end_was_told(ended->task, clock.now());
    });
  }
  // Errors: as TaskLink::report. Precondition: the lock is held.
  Result<RemoteAttempt*> task_of(const TaskKey& key) {
    // Before start() it is unknown which attempts are over.
    if (!started) return fail(ErrorCode::unavailable, "the server is starting; try again");
    const auto it = attempts.find(key.attempt);
    if (it == attempts.end() || !it->second.has_task(key.task))
      return fail(ErrorCode::not_found, "there is no such task, or it is over");
    return &it->second;
  }
};

}  // namespace ym::remote
