// LocalExecutor: what it finds of attempts that were launched before.
#include <algorithm>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/gate.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/executor_impl.h"

namespace ym::local {
namespace {

constexpr std::int64_t kFreshMs = 1000;  // so long a look at every process serves several tokens

// When the launch record does not tell: tasks' folders are made before it.
std::int32_t count_tasks(int folder) {
  std::int32_t tasks = 0;
  while (exists(folder, std::to_string(tasks).c_str())) ++tasks;
  return tasks;
}

// Whether a supervisor of the attempt in this folder lives, or that cannot be told.
bool is_held(const Fd& folder, std::int32_t tasks) {
  for (std::int32_t task = 0; task < tasks; ++task) {
    const auto path = open_folder(folder.get(), std::to_string(task));
    if (!path) continue;
    const auto lock = try_lock_task(path->get());
    if (!lock || !*lock) return true;
  }
  return false;
}

}  // namespace

LocalExecutor::Found LocalExecutor::find(const Token& token) {
  if (runs_.contains(token)) return Found::taken_up;
  auto folder = open_folder(state_folder_.get(), attempt_path(token.key()));
  if (!folder && folder.error().code == ErrorCode::not_found) return Found::nothing;
  if (!folder) return unreadable(token, folder.error());
  const auto launch = read_launch(folder->get());
  if (!launch) return find_without_launch(token, std::move(*folder), launch.error());
  if (launch->token != token) return find_foreign(token, *launch, *folder);
  return take_up(token, std::move(*folder), launch->tasks, launch->port);
}

// The number of an attempt was given twice: the state is older than the folder (a restored
// backup). As long as the other launch lives, its devices are not free.
LocalExecutor::Found LocalExecutor::find_foreign(const Token& token, const LaunchRecord& launch, const Fd& folder) {
  const auto& other = launch.token;
  const auto* living = whoever_lives();
  if (is_held(folder, launch.tasks) || !living || living->is_launch_of(other, services_.state_id))
    return unreadable(token, {.code = ErrorCode::conflict,
                              .message = "another launch of this attempt still runs: " + to_string(other) +
                                         " (was an older backup restored?). It goes on when that has ended"});
  return refuse(token,
                {.message = "another launch of this attempt was found: " + to_string(other), .of_executor = true});
}

LocalExecutor::Found LocalExecutor::find_without_launch(const Token& token, Fd folder, const Error& error) {
  if (error.code == ErrorCode::corrupt) return find_damaged(token, std::move(folder), error);
  if (error.code != ErrorCode::not_found) return unreadable(token, error);
  const auto decision = read_decision(folder.get());
  if (!decision) return unreadable(token, decision.error());
  return *decision ? refuse(token, {.message = kStoppedBefore}) : Found::nothing;
}

// What to run cannot be read. If nothing has started, nothing will; what has started
// is followed without it.
LocalExecutor::Found LocalExecutor::find_damaged(const Token& token, Fd folder, const Error& error) {
  const auto decision = decide(folder.get(), release_because(StopCause::start_timeout));
  if (!decision) return unreadable(token, decision.error());
  if (decision->verdict == Decision::Verdict::release) return refuse(token, {.message = error.message});
  const auto tasks = count_tasks(folder.get());
  return take_up(token, std::move(folder), tasks, 0);
}

LocalExecutor::Found LocalExecutor::take_up(const Token& token, Fd folder, std::int32_t tasks, std::int64_t port) {
  auto run = std::make_shared<AttemptRun>(services_, token, std::move(folder));
  if (const auto opened = run->open(tasks); !opened) return unreadable(token, opened.error());
  run->port = port;
  ports_.keep(port);
  runs_[token] = run;
  run->begin(AttemptRun::Origin::found);
  return Found::taken_up;
}

void LocalExecutor::find_or_say_unknown(const Token& token) {
  if (find(token) != Found::nothing) return;
  const bool gone = nothing_lives(token);
  report({token, TokenIsUnknown{.nothing_lives = gone}});
  // What lives, or could not be looked at, may be gone later.
  if (!gone) retry_later(token, std::nullopt);
}

bool LocalExecutor::nothing_lives(const Token& token) {
  const auto* living = whoever_lives();
  return living && !living->has(token, options_.state_dir);
}

// A process that lives now was there a moment ago, or a parent of it that carries the same
// token was: a look that is not quite fresh serves as well. Null if one cannot look.
const Living* LocalExecutor::whoever_lives() {
  if (!living_ || boot_now() - living_at_ > kFreshMs) {
    auto living = look_for_living();
    if (!living) return nullptr;
    living_ = std::move(*living);
    living_at_ = boot_now();
  }
  return &*living_;
}

// The folder is there but cannot be read: that says nothing about the attempt.
LocalExecutor::Found LocalExecutor::unreadable(const Token& token, const Error& error) {
  report({token, ContactIsLost{error.message}});
  retry_later(token, std::nullopt);
  return Found::unreadable;
}

void LocalExecutor::retry_later(const Token& token, std::optional<StopRequest> stop) {
  const auto [it, fresh] = retries_.try_emplace(token, std::nullopt);
  auto& waiting = it->second;
  if (stop && waiting) waiting->grace = std::min(waiting->grace, stop->grace);
  else if (stop) waiting = std::move(stop);
  if (fresh) loop_.after(options_.retry_pause, [this, token] { retry(token); });
}

void LocalExecutor::retry(const Token& token) {
  const auto waiting = retries_.extract(token);
  if (waiting.empty()) return;
  if (waiting.mapped()) do_stop(token, *waiting.mapped());
  else find_or_say_unknown(token);
}

}  // namespace ym::local
