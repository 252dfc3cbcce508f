#include "executor/remote/agent/memory_folder.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/remote/agent/user_code.h"

namespace ym::remote {
namespace {

constexpr const char* kSharedMemory = "/dev/shm";
constexpr std::int64_t kLeastFree = std::int64_t{16} << 20;
constexpr std::time_t kAgeSeconds = 600;  // from its creation until a supervisor holds its lock

bool is_old_and_ours(const struct stat& facts) {
  return facts.st_uid == ::geteuid() && facts.st_mtime + kAgeSeconds < std::time(nullptr);
}

bool is_old_and_ours(int folder) {
  struct stat facts{};
  return ::fstat(folder, &facts) == 0 && is_old_and_ours(facts);
}

// Does not open it: a node may have many, and most are young.
bool looks_old_and_ours(const std::string& path) {
  struct stat facts{};
  return ::lstat(path.c_str(), &facts) == 0 && is_old_and_ours(facts);
}

// A supervisor holds the lock as long as it lives.
bool is_abandoned(const std::string& path) {
  if (!looks_old_and_ours(path)) return false;
  const auto attempt = local::open_folder(AT_FDCWD, path);
  if (!attempt || !is_old_and_ours(attempt->get())) return false;
  const auto task = local::open_folder(attempt->get(), kOnlyTask);
  if (!task) return task.error().code == ErrorCode::not_found;
  if (!is_old_and_ours(task->get())) return false;
  const Fd lock{::openat(task->get(), local::kLockFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
  return lock ? ::flock(lock.get(), LOCK_SH | LOCK_NB) == 0 : errno == ENOENT;
}

void remove_task(const std::string& path) {
  TaskFolder folder{.path = path, .is_own = true};
  if (const auto attempt = local::open_folder(AT_FDCWD, path))
    if (const auto launch = local::read_launch(attempt->get())) folder.log = launch->log;
  folder.log_is_own = is_name_of_own_log(std::filesystem::path(folder.log).filename().string());
  folder.remove();
}

}  // namespace

std::string own_memory_folder() {
  struct statfs facts{};
  if (::statfs(kSharedMemory, &facts) != 0 || facts.f_type != TMPFS_MAGIC) return {};
  const auto free = static_cast<std::int64_t>(facts.f_bavail) * facts.f_bsize;
  if (free < kLeastFree && facts.f_blocks != 0) return {};
  auto path = std::string(kSharedMemory) + "/ym-tasks-" + std::to_string(::geteuid());
  const auto folder = local::make_folder(AT_FDCWD, path);
  return folder && local::check_ours(folder->get(), path) ? path : std::string();
}

void remove_abandoned(const std::string& memory_folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(memory_folder, error), end; !error && it != end; it.increment(error)) {
    const auto& path = it->path();
    if (path.filename().string().starts_with(kTaskFolderName) && is_abandoned(path.string()))
      remove_task(path.string());
  }
}

}  // namespace ym::remote
