// LocalExecutor: finds attempts that were launched before.
#include <algorithm>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/executor_impl.h"

namespace ym::local {
namespace {

constexpr std::int64_t kFreshMs = 1000;  // a look at all processes serves several tokens for this time

}  // namespace

LocalExecutor::Found LocalExecutor::find(const Token& token) {
  if (runs_.contains(token)) return Found::taken_up;
  auto folder = open_folder(state_folder_.get(), attempt_path(token.key()));
  if (!folder) return find_without_folder(token, folder.error());
  const auto launch = read_launch(folder->get());
  if (!launch) return find_without_launch(token, std::move(*folder), launch.error());
  if (launch->token != token) return find_foreign(token, *launch, *folder);
  return take_up(token, std::move(*folder), *launch);
}

// Two launches got the same attempt number: the state is older than the folder (a restored backup). While the other
// launch lives, its devices are in use.
LocalExecutor::Found LocalExecutor::find_foreign(const Token& token, const LaunchRecord& launch, const Fd& folder) {
  const auto& other = launch.token;
  const auto* living = living_processes();
  if (is_held(folder.get(), launch.tasks) || !living || living->is_launch_of(other, services_.state_id))
    return unreadable(
        token, {.code = ErrorCode::conflict,
                .message = "another launch of this attempt still runs: " + to_string(other) +
                           " (was an older backup restored?). This attempt continues when that launch has ended"});
  return refuse(token,
                {.message = "another launch of this attempt was found: " + to_string(other), .of_executor = true});
}

// For an attempt without a trace that says when it was launched. A power loss may delete all traces except the mark of
// its epoch.
Result<bool> LocalExecutor::is_of_earlier_boot(const Token& token) {
  const auto launched = boot_epochs_.launched(token.epoch);
  if (!launched) return std::unexpected(launched.error());
  if (*launched == Launched::never || *launched == Launched::this_boot) return false;
  // Whatever lives is of this boot, even if the mark was changed.
  if (!may_live(token)) return true;
  if (*launched == Launched::earlier_boot) return false;
  return fail(ErrorCode::corrupt, "the file of its epoch in attempts/.boots is damaged, and its processes still run");
}

LocalExecutor::Found LocalExecutor::find_without_folder(const Token& token, const Error& error) {
  if (error.code != ErrorCode::not_found) return unreadable(token, error);
  const auto earlier = is_of_earlier_boot(token);
  if (!earlier) return unreadable(token, earlier.error());
  if (!*earlier) return Found::nothing;
  report({token, TokenIsUnknown{.nothing_lives = true, .may_have_run = true}});
  return Found::over;
}

LocalExecutor::Found LocalExecutor::find_without_launch(const Token& token, Fd folder, const Error& error) {
  if (error.code != ErrorCode::not_found && error.code != ErrorCode::corrupt) return unreadable(token, error);
  const auto earlier = is_of_earlier_boot(token);
  if (!earlier) return unreadable(token, earlier.error());
  if (*earlier) return find_after_restart(token, std::move(folder));
  if (error.code == ErrorCode::corrupt) return find_damaged(token, std::move(folder), error);
  const auto decision = read_decision(folder.get());
  if (!decision) return unreadable(token, decision.error());
  // The barrier of an attempt that was not launched is never opened: the record was removed.
  if (*decision == kGo || may_live(token)) return find_damaged(token, std::move(folder), error);
  return *decision ? refuse(token, {.message = kStoppedBefore}) : Found::nothing;
}

// The launch record cannot be read. If nothing has started, nothing will start; if something has, it is followed
// without the record.
LocalExecutor::Found LocalExecutor::find_damaged(const Token& token, Fd folder, const Error& error) {
  const auto decision = decide(folder.get(), release_because(StopCause::start_timeout));
  if (!decision) return unreadable(token, decision.error());
  const bool is_released = decision->verdict == Decision::Verdict::release;
  if (is_released && may_live(token)) return hidden(token);
  if (is_released) return refuse(token, {.message = error.message});
  const LaunchRecord unread{.token = token, .tasks = count_tasks(folder.get())};
  return take_up(token, std::move(folder), unread);
}

// The launch record is lost, but other files may exist: recorded ends count.
LocalExecutor::Found LocalExecutor::find_after_restart(const Token& token, Fd folder) {
  const LaunchRecord unread{.token = token, .tasks = count_tasks(folder.get())};
  const auto run = std::make_shared<AttemptRun>(services_, token, std::move(folder));
  if (const auto opened = run->open(unread); !opened) return unreadable(token, opened.error());
  run->begin(AttemptRun::Origin::earlier_boot);
  if (!run->ended()) return unreadable(token, {.message = "its remaining files cannot be read"});
  // There may have been more tasks.
  report({token, TokenIsUnknown{.nothing_lives = true, .may_have_run = true}});
  return Found::over;
}

LocalExecutor::Found LocalExecutor::take_up(const Token& token, Fd folder, const LaunchRecord& launch) {
  auto run = std::make_shared<AttemptRun>(services_, token, std::move(folder));
  if (const auto opened = run->open(launch); !opened) return unreadable(token, opened.error());
  for (const std::int64_t port : launch.ports()) ports_.keep(port);
  runs_[token] = run;
  if (begun_.contains(token)) run->know_begun();
  if (adopted_.contains(token)) run->keep_barrier_closed();
  const bool is_over = local::is_of_earlier_boot(launch) && !may_live(token);
  run->begin(is_over ? AttemptRun::Origin::earlier_boot : AttemptRun::Origin::found);
  return Found::taken_up;
}

void LocalExecutor::find_or_say_unknown(const Token& token) {
  if (find(token) != Found::nothing) return;
  const bool gone = nothing_lives(token);
  report({token, TokenIsUnknown{.nothing_lives = gone}});
  // What lives, or could not be seen, may be gone later.
  if (!gone) retry_later(token, std::nullopt);
}

bool LocalExecutor::nothing_lives(const Token& token) {
  const auto* living = living_processes();
  if (!living || living->has(token, options_.state_dir)) return false;
  return has_members(cgroups_, "ym-" + to_string(token) + "-") == Result<bool>(false);
}

bool LocalExecutor::may_live(const Token& token) {
  const auto* living = living_processes();
  return !living || living->is_supervised(token.key(), options_.state_dir) ||
         living->is_launch_of(token, services_.state_id);
}

bool LocalExecutor::others_may_live(const Token& token, const std::set<std::int32_t>& tasks) {
  const auto* living = living_processes();
  return !living || living->is_launch_of(token, services_.state_id) ||
         !std::ranges::includes(tasks, living->supervised_tasks(token.key(), options_.state_dir));
}

// A process that lives now was there a moment ago, or its parent with the same token was. So a list that is a little
// old serves too. Null: the processes cannot be listed.
const Living* LocalExecutor::living_processes() {
  if (!living_ || boot_now() - living_at_ > kFreshMs) {
    auto living = look_for_living();
    if (!living) return nullptr;
    living_ = std::move(*living);
    living_at_ = boot_now();
  }
  return &*living_;
}

// The folder exists but cannot be read, which says nothing about the attempt.
LocalExecutor::Found LocalExecutor::unreadable(const Token& token, const Error& error) {
  report({token, ContactIsLost{error.message}});
  retry_later(token, std::nullopt);
  return Found::unreadable;
}

LocalExecutor::Found LocalExecutor::hidden(const Token& token) {
  begun_.insert(token);
  report({token, ContactIsLost{"its processes still run, but its files were removed or changed"}});
  retry_later(token, std::nullopt);
  return Found::hidden;
}

void LocalExecutor::retry_later(const Token& token, std::optional<StopRequest> stop) {
  const auto [it, fresh] = retries_.try_emplace(token, std::nullopt);
  auto& waiting = it->second;
  if (stop && waiting) waiting->join(*stop, boot_now());
  else if (stop) waiting.emplace(std::move(*stop), boot_now());
  if (fresh) loop_.after(options_.retry_pause, [this, token] { retry(token); });
}

void LocalExecutor::retry(const Token& token) {
  const auto waiting = retries_.extract(token);
  if (waiting.empty()) return;
  if (waiting.mapped()) do_stop(token, waiting.mapped()->as_of(boot_now()));
  else find_or_say_unknown(token);
}

}  // namespace ym::local
