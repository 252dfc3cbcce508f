#include "executor/remote/agent/own_output.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "executor/local/attempt/files.h"

namespace ym::remote {
namespace {

// No header names a few of them.
constexpr std::array<std::uint32_t, 7> kOfThisMachine{
    EXT4_SUPER_MAGIC, 0x58465342 /* XFS */, BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC,
    F2FS_SUPER_MAGIC, 0x2fc12fc1 /* ZFS */, TMPFS_MAGIC};

Fd open_end(const std::string& path) {
  return Fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600)};
}

// The folders nearly always exist: the executor makes them, but a shared file system may show them late.
Fd open_or_make(const std::string& path) {
  auto file = open_end(path);
  if (file || errno != ENOENT) return file;
  const auto folder = std::filesystem::path(path).parent_path();
  ::mkdir(folder.parent_path().c_str(), 0700);
  ::mkdir(folder.c_str(), 0700);
  return open_end(path);
}

}  // namespace

Result<void> redirect_output(const Environment& env) {
  if (const auto path = text_of(env, "YM_TASK_OUTPUT"); !path.empty()) {
    const auto file = open_or_make(path);
    if (!file) return std::unexpected(local::os_error("write " + path));
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file.get(), stream);
  }
  if (const auto path = text_of(env, "YM_TASK_MESSAGES"); !path.empty()) {
    if (const auto file = open_end(path)) ::dup2(file.get(), STDERR_FILENO);
  }
  return {};
}

std::string output_on_this_machine(const Environment& env) {
  auto path = text_of(env, "YM_TASK_OUTPUT");
  struct statfs facts{};
  struct stat kind{};
  const bool known = !path.empty() && ::statfs(path.c_str(), &facts) == 0 && ::lstat(path.c_str(), &kind) == 0;
  const auto type = static_cast<std::uint32_t>(facts.f_type);
  return known && S_ISREG(kind.st_mode) && std::ranges::find(kOfThisMachine, type) != kOfThisMachine.end() ? path : "";
}

}  // namespace ym::remote
