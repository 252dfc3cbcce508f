#include "executor/local/machine/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/protocol.h"

namespace ym::local {
namespace {

// posix_spawn in place of fork: the server is large and has threads.
class SpawnRules {
 public:
  explicit SpawnRules(int link) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    ::posix_spawn_file_actions_adddup2(&actions, 0, 1);
    ::posix_spawn_file_actions_adddup2(&actions, 0, 2);
    ::posix_spawn_file_actions_adddup2(&actions, link, kParentLink);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, kParentLink + 1);
    sigset_t all;
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigmask(&attributes, &all);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnRules() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnRules(const SpawnRules&) = delete;
  SpawnRules& operator=(const SpawnRules&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

Result<Fd> spawn_supervisor(EventLoop& loop, const std::filesystem::path& program, const std::string& task_folder) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
    return std::unexpected(os_error("socketpair"));
  Fd ours{ends[0]};
  Fd theirs{ends[1]};
  // A descriptor that is duplicated to its own number would keep its close-on-exec flag.
  if (theirs.get() == kParentLink) theirs = Fd{::fcntl(theirs.get(), F_DUPFD_CLOEXEC, kParentLink + 1)};
  const SpawnRules rules{theirs.get()};
  std::string name = program.string(), folder = task_folder;
  const std::array<char*, 3> argv{name.data(), folder.data(), nullptr};
  const std::array<char*, 1> env{nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, name.c_str(), &rules.actions, &rules.attributes, argv.data(), env.data());
  if (error != 0) return std::unexpected(os_error("start " + name, error));
  reap_later(loop, pid);
  return ours;
}

void reap_later(EventLoop& loop, pid_t pid) {
  const auto pinned = std::make_shared<Fd>(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!*pinned) return;
  const auto watch = std::make_shared<EventLoop::WatchId>();
  *watch = loop.watch(pinned->get(), [&loop, pid, pinned, watch] {
    loop.forget(*watch);
    ::waitpid(pid, nullptr, WNOHANG);
  });
}

}  // namespace ym::local
