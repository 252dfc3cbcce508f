#include "executor/local/supervisor/daemon.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "executor/local/attempt/protocol.h"

namespace ym::local {
namespace {

Fd take_parent_link() {
  struct stat about{};
  if (::fstat(kParentLink, &about) != 0 || !S_ISSOCK(about.st_mode)) {
    ::close(kParentLink);
    return {};
  }
  ::fcntl(kParentLink, F_SETFD, FD_CLOEXEC);
  ::fcntl(kParentLink, F_SETFL, O_NONBLOCK);
  return Fd{kParentLink};
}

void close_streams() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {0, 1, 2}) ::dup2(null, stream);
  if (null > 2) ::close(null);
}

// A supervisor uses little memory, and killing it would lose the end of a job.
std::string lower_oom_score() {
  const Fd fd{::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC)};
  std::array<char, 16> before{};
  const ssize_t n = fd ? ::read(fd.get(), before.data(), before.size()) : -1;
  if (n <= 0 || ::pwrite(fd.get(), "-900", 4, 0) != 4) return {};
  return {before.data(), static_cast<std::size_t>(n)};
}

}  // namespace

Inherited become_daemon() {
  ::setsid();
  ::close_range(kParentLink + 1, ~0U, 0);
  close_streams();
  if (::chdir("/") != 0) ::_exit(1);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  return {.umask = ::umask(077), .oom_score = lower_oom_score(), .parent_link = take_parent_link()};
}

}  // namespace ym::local
