#include "executor/kubernetes/api/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>

namespace ym::kubernetes {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kMostOutputBytes = std::size_t{1} << 20;

std::vector<std::string> environment_with(const std::map<std::string, std::string>& over) {
  auto all = over;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view pair = *each;
    const auto equals = pair.find('=');
    if (equals != std::string_view::npos) all.try_emplace(std::string(pair.substr(0, equals)), pair.substr(equals + 1));
  }
  std::vector<std::string> list;
  for (const auto& [name, value] : all) list.push_back(name + "=" + value);
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (auto& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// In a process group of its own, so that it can be killed with its children. Returns errno; 0: it runs.
int start(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env, int output, pid_t& pid) {
  auto words = argv, variables = environment_with(env);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = ::posix_spawnp(&pid, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// The reason why reading stopped early; empty: the program closed its end.
std::string read_all(int from, Steady::time_point until, std::string& text) {
  std::array<char, 16384> piece{};
  while (text.size() <= kMostOutputBytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Steady::now()).count();
    pollfd wait{.fd = from, .events = POLLIN, .revents = 0};
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) == 0) return "took too long";
    const auto n = ::read(from, piece.data(), piece.size());
    if (n == 0) return {};
    if (n > 0) text.append(piece.data(), static_cast<std::size_t>(n));
    else if (errno != EINTR) return std::strerror(errno);
  }
  return "wrote more than 1 MiB";
}

// Waits for the end of the program and kills it at the deadline. Returns how it failed; empty: it succeeded.
std::string reap(pid_t pid, Steady::time_point until) {
  int status = 0;
  for (;;) {
    const auto done = ::waitpid(pid, &status, WNOHANG);
    if (done == pid) break;
    if (done < 0 && errno != EINTR) return std::strerror(errno);
    if (Steady::now() >= until) ::kill(-pid, SIGKILL);
    ::poll(nullptr, 0, 5);
  }
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? std::string() : fmt::format("failed with {}", WEXITSTATUS(status));
}

}  // namespace

Result<std::string> run_program(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
                                Duration timeout) {
  const auto until = Steady::now() + std::chrono::milliseconds(timeout.ms);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(ErrorCode::unavailable, std::strerror(errno));
  pid_t pid = 0;
  const int error = start(argv, env, ends[1], pid);
  ::close(ends[1]);
  std::string text, problem;
  if (error == 0) {
    problem = read_all(ends[0], until, text);
    if (!problem.empty()) ::kill(-pid, SIGKILL);
    const auto end = reap(pid, until);
    if (problem.empty()) problem = end;
  } else {
    problem = std::string("cannot be started: ") + std::strerror(error);
  }
  ::close(ends[0]);
  if (!problem.empty()) return fail(ErrorCode::unavailable, argv.front() + " " + problem);
  return text;
}

}  // namespace ym::kubernetes
