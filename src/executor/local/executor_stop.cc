// LocalExecutor: stops, also of attempts that are not found.
#include <algorithm>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/executor_impl.h"

namespace ym::local {

// Closes the list and the launch barrier before it returns, so that no start follows a confirmed stop. The rest happens
// on the loop.
void LocalExecutor::stop(const Token& token, StopRequest request) {
  stops_.close(state_folder_.get(), token, request.cause);
  loop_.post([this, token, request = std::move(request)] { do_stop(token, request); });
}

void LocalExecutor::do_stop(const Token& token, const StopRequest& request) {
  const auto found = find(token);
  if (found == Found::taken_up) return runs_.at(token)->stop(request);
  if (found == Found::hidden || (found == Found::nothing && may_live(token))) return stop_hidden(token, request);
  if (found == Found::nothing) return refuse_for_good(token, request);
  if (found == Found::unreadable) retry_later(token, request);
}

// There is no supervisor to ask. After the grace, all processes that can be seen are killed.
void LocalExecutor::stop_hidden(const Token& token, const StopRequest& request) {
  const auto now = boot_now();
  auto& kill_at = kill_at_.try_emplace(token, now + request.grace.ms).first->second;
  kill_at = std::min(kill_at, now + request.grace.ms);
  if (kill_at <= now) kill_what_is_seen(token);
  hidden(token);
  retry_later(token, request);
}

void LocalExecutor::kill_what_is_seen(const Token& token) {
  if (const auto* living = living_processes()) living->kill(token, options_.state_dir, services_.state_id);
}

void LocalExecutor::refuse_for_good(const Token& token, const StopRequest& request) {
  const auto folder = make_folders(state_folder_.get(), attempt_path(token.key()));
  if (folder && decide(folder->get(), release_because(request.cause))) {
    refuse(token, {.message = kStoppedBefore});
    return;
  }
  // Only a closed barrier guarantees that the attempt never starts.
  retry_later(token, request);
}

}  // namespace ym::local
