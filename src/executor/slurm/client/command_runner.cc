#include "executor/slurm/client/command_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

namespace ym::slurm {
namespace {

constexpr std::size_t kMostErrors = 65'536;

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

std::unexpected<Error> os_failure(const std::string& what, int error) {
  return fail(ErrorCode::io, fmt::format("{}: {}", what, std::strerror(error)));
}

// Sockets in place of pipes: a write to a program that has ended is an error, not a signal to the whole server.
Result<std::pair<Fd, Fd>> channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return os_failure("socketpair", errno);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::pair{Fd{ends[0]}, Fd{ends[1]}};
}

struct Channels {
  std::pair<Fd, Fd> input, output, errors;  // each: this process's end and the program's
};

Result<Channels> make_channels() {
  auto input = channel(), output = channel(), errors = channel();
  for (auto* made : {&input, &output, &errors})
    if (!*made) return std::unexpected(made->error());
  return Channels{std::move(*input), std::move(*output), std::move(*errors)};
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (auto& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

std::string path_of(const Command& command) {
  const auto& name = command.argv.front();
  if (name.find('/') != std::string::npos) return name;
  const auto found = command.env.find("PATH");
  std::string_view rest = found == command.env.end() ? "/usr/local/bin:/usr/bin:/bin" : std::string_view(found->second);
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const auto candidate = fmt::format("{}/{}", rest.substr(0, colon), name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return "/usr/bin/" + name;
}

Result<pid_t> spawn(const Command& command, const Channels& channels) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, channels.input.second.get(), 0);
  ::posix_spawn_file_actions_adddup2(&actions, channels.output.second.get(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, channels.errors.second.get(), 2);
  ::posix_spawn_file_actions_addchdir_np(&actions, "/");
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  auto words = command.argv;
  std::vector<std::string> pairs;
  for (const auto& [name, value] : command.env) pairs.push_back(fmt::format("{}={}", name, value));
  pid_t pid = 0;
  const auto path = path_of(command);
  const int error =
      ::posix_spawn(&pid, path.c_str(), &actions, &attributes, pointers(words).data(), pointers(pairs).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return os_failure("start " + path, error);
  return pid;
}

// Reads what is available. False: the bound is exceeded. Closes `from` at its end.
bool take(Fd& from, std::string& into, std::size_t most, bool keep_reading) {
  std::array<char, 65'536> piece;
  const auto got = ::read(from.get(), piece.data(), piece.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) {
    from.close();
    return true;
  }
  const auto room = most - into.size();
  into.append(piece.data(), std::min(static_cast<std::size_t>(got), room));
  return keep_reading || static_cast<std::size_t>(got) <= room;
}

void give(Fd& to, std::string_view& rest) {
  const auto sent = ::send(to.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (sent < 0) return to.close();
  rest.remove_prefix(static_cast<std::size_t>(sent));
  if (rest.empty()) to.close();
}

// A running program. Kills it with all its children, unless wait() has returned its end.
class Running {
 public:
  Running(pid_t pid, Duration timeout)
      : pid_(pid), until_(std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout.ms)) {}
  ~Running() {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int left_ms() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - std::chrono::steady_clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
  }
  // Empty: it did not end in time.
  std::optional<int> wait() {
    const Fd handle{static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))};
    pollfd look{handle.get(), POLLIN, 0};
    while (handle.is_open() && ::poll(&look, 1, left_ms()) <= 0)
      if (left_ms() == 0) return std::nullopt;
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_;
  std::chrono::steady_clock::time_point until_;
};

Result<CommandEnd> talk(const Command& command, Channels& channels, Running& running) {
  CommandEnd end;
  std::string_view rest = command.input;
  Fd &input = channels.input.first, &output = channels.output.first, &errors = channels.errors.first;
  if (rest.empty()) input.close();
  while (output.is_open() || errors.is_open()) {
    std::array<pollfd, 3> look{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}, {input.get(), POLLOUT, 0}}};
    if (::poll(look.data(), look.size(), running.left_ms()) <= 0 && running.left_ms() == 0)
      return fail(ErrorCode::unavailable,
                  fmt::format("{} did not end within {}", command.argv.front(), to_string(command.timeout)));
    if (look[0].revents != 0 && !take(output, end.output, command.most_bytes, false))
      return fail(ErrorCode::too_large,
                  fmt::format("{} writes more than {} bytes", command.argv.front(), command.most_bytes));
    if (look[1].revents != 0) take(errors, end.errors, kMostErrors, true);
    if (look[2].revents != 0) give(input, rest);
  }
  const auto status = running.wait();
  if (!status)
    return fail(ErrorCode::unavailable,
                fmt::format("{} did not end within {}", command.argv.front(), to_string(command.timeout)));
  end.status = *status;
  return end;
}

}  // namespace

Result<CommandEnd> run_command(const Command& command) {
  auto channels = make_channels();
  if (!channels) return std::unexpected(channels.error());
  const auto pid = spawn(command, *channels);
  if (!pid) return std::unexpected(pid.error());
  for (auto* pair : {&channels->input, &channels->output, &channels->errors}) pair->second.close();
  Running running{*pid, command.timeout};
  return talk(command, *channels, running);
}

}  // namespace ym::slurm
