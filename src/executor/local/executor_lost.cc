// LocalExecutor: launches that the state does not know.
#include <memory>
#include <utility>
#include <vector>

#include "executor/local/executor_impl.h"
#include "executor/local/lost_launches.h"
#include "executor/local/retention.h"

namespace ym::local {

Result<std::vector<LostLaunch>> LocalExecutor::lost_launches() {
  std::vector<LostLaunch> lost;
  if (!is_lost_) return lost;
  if (auto opened = open_state(); !opened) return std::unexpected(opened.error());
  const auto living = look_for_living();
  if (!living) return std::unexpected(living.error());
  auto found = find_lost(
      {.state_dir = options_.state_dir, .state_id = services_.state_id, .living = *living, .is_lost = is_lost_});
  if (!found) return std::unexpected(found.error());
  for (auto& one : *found) lost.push_back(std::move(one.launch));
  return lost;
}

void LocalExecutor::know_live(const LiveAttempt& attempt) {
  const auto& token = attempt.token();
  if (attempt.adopted) adopted_.insert(token);
  // Where the state was set back, it may have ended, and been released, before.
  unmark_released(options_.state_dir, token.key());
}

// Ready when it was looked once for what is lost.
std::future<void> LocalExecutor::post_first_look(std::span<const LiveAttempt> live) {
  const auto looked = std::make_shared<std::promise<void>>();
  std::set<Token> tokens;
  for (const auto& attempt : live) tokens.insert(attempt.token());
  loop_.post([this, looked, tokens = std::move(tokens)] {
    hold_lost(tokens);
    looked->set_value();
  });
  return looked->get_future();
}

void LocalExecutor::hold_lost(const std::set<Token>& live) {
  if (!is_lost_) return;
  const auto* living = whoever_lives();
  auto found = living ? find_living_lost({.state_dir = options_.state_dir,
                                          .state_id = services_.state_id,
                                          .living = *living,
                                          .is_lost = is_lost_})
                      : fail(ErrorCode::io, "processes cannot be looked at");
  if (!found) return loop_.after(options_.retry_pause, [this, live] { hold_lost(live); });
  std::erase_if(*found, [&](const FoundLaunch& one) {
    return live.contains(one.launch.token) || runs_.contains(one.launch.token);
  });
  for (const auto& one : *found) unmark_released(options_.state_dir, one.launch.token.key());
  lost_.hold(*found);
}

}  // namespace ym::local
