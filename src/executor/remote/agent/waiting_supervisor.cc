#include "executor/remote/agent/waiting_supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/protocol.h"
#include "executor/local/machine/spawn.h"
#include "executor/local/supervisor/supervisor.h"

namespace ym::remote {
namespace {

// Ends the folder's path; no path contains it.
constexpr char kEnd = '\0';

// As after posix_spawn.
void reset_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
}

// Empty if no folder can come any more. Reads no further byte.
std::string wait_for_folder(int link) {
  std::string folder;
  pollfd readable{.fd = link, .events = POLLIN, .revents = 0};
  while (true) {
    char next = kEnd;
    const auto n = ::read(link, &next, 1);
    if (n == 1 && next == kEnd) return folder;
    if (n == 1) folder += next;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) return {};
    else ::poll(&readable, 1, -1);
  }
}

[[noreturn]] void be_supervisor(Fd link) {
  reset_signals();
  if (link.get() == local::kParentLink) static_cast<void>(link.release());
  else ::dup2(link.get(), local::kParentLink);
  ::prctl(PR_SET_NAME, "ym-supervisor");
  auto inherited = local::become_daemon();
  const auto folder = wait_for_folder(inherited.parent_link.get());
  ::_exit(folder.empty() ? 0 : local::Supervisor{std::move(inherited)}.run(folder));
}

}  // namespace

Result<WaitingSupervisor> WaitingSupervisor::create() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
    return std::unexpected(local::os_error("socketpair"));
  Fd ours{ends[0]}, theirs{ends[1]};
  const auto pid = ::fork();
  if (pid < 0) return std::unexpected(local::os_error("fork"));
  if (pid == 0) be_supervisor(std::move(theirs));
  return WaitingSupervisor{pid, std::move(ours)};
}

WaitingSupervisor::~WaitingSupervisor() {
  if (!link_) return;
  link_.reset();
  ::waitpid(pid_, nullptr, 0);
}

Result<Fd> WaitingSupervisor::give_task(local::EventLoop& loop, const std::string& task_folder) {
  local::reap_later(loop, pid_);
  const auto text = task_folder + kEnd;
  // It is short, and sent first: the connection takes it whole or is broken.
  const auto sent = ::send(link_.get(), text.data(), text.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(text.size())) return std::unexpected(local::os_error("give a supervisor its task"));
  return std::move(link_);
}

}  // namespace ym::remote
