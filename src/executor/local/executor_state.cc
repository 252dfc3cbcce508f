// LocalExecutor: its folder in the state directory. It may be removed while jobs run.
#include <fcntl.h>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/state_id.h"
#include "executor/local/executor_impl.h"

namespace ym::local {

Result<void> LocalExecutor::open_state() {
  auto folder = open_folder(AT_FDCWD, (options_.state_dir / ".").string());  // the state directory may be a link
  if (!folder) return std::unexpected(folder.error());
  state_folder_ = std::move(*folder);
  if (auto ours = check_ours(state_folder_.get(), options_.state_dir.string()); !ours) return ours;
  return open_attempts();
}

Result<void> LocalExecutor::open_attempts() {
  const auto attempts = make_folder_durably(state_folder_.get(), kAttemptsFolder);
  if (!attempts) return std::unexpected(attempts.error());
  if (auto ours = check_ours(attempts->get(), (options_.state_dir / kAttemptsFolder).string()); !ours) return ours;
  if (auto known = know_state_id(attempts->get()); !known) return known;
  return boot_epochs_.open(attempts->get());
}

// Running tasks carry the id in their environment.
Result<void> LocalExecutor::know_state_id(int attempts_folder) {
  if (!services_.state_id.empty()) return keep_state_id(attempts_folder, services_.state_id);
  auto id = read_state_id(attempts_folder);
  if (!id) return std::unexpected(id.error());
  services_.state_id = std::move(*id);
  return {};
}

Result<void> LocalExecutor::mark_epoch(std::uint64_t epoch) {
  if (boot_epochs_.is_removed())
    if (auto opened = open_attempts(); !opened) return opened;
  return boot_epochs_.mark(epoch);
}

}  // namespace ym::local
