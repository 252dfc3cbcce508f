#include "executor/local/stop_list.h"

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {

void StopList::close(int state_folder, const Token& token, StopCause cause) {
  {
    const std::lock_guard lock{mutex_};
    stopped_.insert(token);
  }
  const auto path = attempt_path(token.key());
  auto folder = open_folder(state_folder, path);
  if (!may_close(folder, token)) return;
  if (!folder) folder = make_folders(state_folder, path);
  if (folder) close_barrier(folder->get(), cause);
}

// After a reboot, the rest of a barrier is the only evidence whether it was ever open.
bool StopList::may_close(const Result<Fd>& folder, const Token& token) const {
  const auto launch = folder ? read_launch(folder->get()) : std::unexpected(folder.error());
  if (launch) return launch->token == token && !is_of_earlier_boot(*launch);
  const auto launched = boot_epochs_.launched(token.epoch);
  return launched && (*launched == Launched::never || *launched == Launched::this_boot);
}

bool StopList::contains(const Token& token) const {
  const std::lock_guard lock{mutex_};
  return stopped_.contains(token);
}

bool StopList::contains(const AttemptKey& attempt) const {
  const std::lock_guard lock{mutex_};
  const auto next = stopped_.lower_bound(Token{attempt.job, attempt.number, 0});
  return next != stopped_.end() && next->key() == attempt;
}

void StopList::erase(const Token& token) {
  const std::lock_guard lock{mutex_};
  stopped_.erase(token);
}

}  // namespace ym::local
