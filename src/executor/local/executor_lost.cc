// LocalExecutor: lost launches.
#include <spdlog/spdlog.h>

#include <memory>
#include <utility>
#include <vector>

#include "executor/local/executor_impl.h"
#include "executor/local/lost_launches.h"
#include "executor/local/retention.h"

namespace ym::local {
namespace {

// Enough for a short lack of descriptors or memory to pass.
constexpr int kMostLooks = 6;

Token token_of(const Token& token) { return token; }
Token token_of(const auto& entry) { return entry.first; }

// A token without an epoch matches any known launch of the attempt.
bool is_among(const Token& token, const auto& known) {
  if (token.epoch != 0) return known.contains(token);
  const auto next = known.lower_bound(token);
  return next != known.end() && token_of(*next).key() == token.key();
}

}  // namespace

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
  // If the state was set back, the attempt may have ended and been released before.
  unmark_released(options_.state_dir, token.key());
}

// Ready when lost launches were found, or after the last try.
std::future<Result<void>> LocalExecutor::post_first_look(std::span<const LiveAttempt> live) {
  auto look = std::make_shared<FirstLook>();
  for (const auto& attempt : live) look->live.insert(attempt.token());
  loop_.post([this, look] { look_for_lost(look); });
  return look->done.get_future();
}

// Until it is known what lives, no device may be given to a job.
void LocalExecutor::look_for_lost(const std::shared_ptr<FirstLook>& look) {
  const auto held = hold_lost(look->live);
  if (held) return look->done.set_value({});
  const auto why =
      "this machine cannot be searched for launches that the server's state does not know: " + held.error().message;
  spdlog::warn("{}", why);
  if (++look->tries == kMostLooks)
    return look->done.set_value(
        fail(held.error().code, why + ". Their devices could be given to other jobs. Start the server again"));
  loop_.after(options_.retry_pause, [this, look] { look_for_lost(look); });
}

Result<void> LocalExecutor::hold_lost(const std::set<Token>& live) {
  if (!is_lost_) return {};
  const auto* living = whoever_lives();
  if (!living) return fail(ErrorCode::io, "the processes of this machine cannot be listed");
  const auto is_known = [&](const Token& token) { return is_among(token, live) || is_among(token, runs_); };
  const IsLost is_lost = [&](const Token& token) { return !is_known(token) && is_lost_(token); };
  const auto found = find_living_lost(
      {.state_dir = options_.state_dir, .state_id = services_.state_id, .living = *living, .is_lost = is_lost});
  if (!found) return std::unexpected(found.error());
  for (const auto& one : *found) unmark_released(options_.state_dir, one.launch.token.key());
  lost_.hold(*found);
  return {};
}

}  // namespace ym::local
