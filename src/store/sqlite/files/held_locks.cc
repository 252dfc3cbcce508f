#include "store/sqlite/files/held_locks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "store/sqlite/files/descriptor.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr int kDepthOfLock = 4;  // <hash>/<job>/<attempt>/<task>/lock

bool is_held(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

// A line of /proc/locks: "1: FLOCK  ADVISORY  WRITE 1234 00:2d:567 0 EOF".
std::string holder(int fd, const fs::path& lock) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return lock.string();
  const auto inode = fmt::format(":{}", status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, access, pid, file;
    words >> number >> kind >> mode >> access >> pid >> file;
    if (kind == "FLOCK" && file.ends_with(inode) && pid != "-1" && pid != "0") return "pid " + pid;
  }
  return lock.string();
}

}  // namespace

std::optional<std::string> holder_of(const fs::path& lock) {
  const Descriptor fd(::open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd || !is_held(fd.get())) return std::nullopt;
  return holder(fd.get(), lock);
}

std::vector<std::string> held_locks(const fs::path& attempts) {
  std::vector<std::string> held;
  std::error_code failed;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator(attempts, skip, failed); !failed && it != end(it);
       it.increment(failed)) {
    if (it.depth() == kDepthOfLock) it.disable_recursion_pending();
    if (it.depth() != kDepthOfLock || it->path().filename() != "lock") continue;
    if (auto holder = holder_of(it->path())) held.push_back(std::move(*holder));
  }
  return held;
}

}  // namespace ym::sqlite
