#include "executor/local/stop_list.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/gate.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

// "a", "a/b", "a/b/c" of "a/b/c".
std::vector<std::string> steps_of(const std::string& path) {
  std::vector<std::string> steps;
  for (auto end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1))
    steps.push_back(path.substr(0, end));
  steps.push_back(path);
  return steps;
}

std::string parent_of(const std::string& path) {
  const auto end = path.rfind('/');
  return end == std::string::npos ? "." : path.substr(0, end);
}

}  // namespace

void StopList::close(int state_folder, const Token& token, StopCause cause) {
  {
    const std::lock_guard lock{mutex_};
    stopped_.insert(token);
  }
  const Fd folder = reach(state_folder, attempt_path(token.key()));
  if (!folder) return;
  const auto launch = read_launch(folder.get());
  if (launch && launch->token != token) return;
  close_gate(folder.get(), cause);
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

Fd StopList::reach(int state_folder, const std::string& path) {
  if (auto there = open_folder(state_folder, path)) return std::move(*there);
  for (const auto& step : steps_of(path)) {
    // Written down first: whoever finds the folder finds that it is not durable, too.
    {
      const std::lock_guard lock{mutex_};
      unsynced_.insert(parent_of(step));
    }
    ::mkdirat(state_folder, step.c_str(), 0700);
  }
  auto made = open_folder(state_folder, path);
  return made ? std::move(*made) : Fd{};
}

Result<void> StopList::settle(int state_folder, const std::string& path) {
  for (const auto& step : steps_of(path))
    if (auto settled = settle_entries_of(state_folder, parent_of(step)); !settled) return settled;
  return {};
}

Result<void> StopList::settle_entries_of(int state_folder, const std::string& parent) {
  {
    const std::lock_guard lock{mutex_};
    if (unsynced_.erase(parent) == 0) return {};
  }
  const auto folder = open_folder(state_folder, parent);
  if (folder && ::fsync(folder->get()) == 0) return {};
  auto error = folder ? os_error("fsync of a folder") : folder.error();
  const std::lock_guard lock{mutex_};
  unsynced_.insert(parent);
  return std::unexpected(std::move(error));
}

}  // namespace ym::local
