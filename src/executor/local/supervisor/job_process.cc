#include "executor/local/supervisor/job_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "base/fd.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/process.h"

namespace ym::local {
namespace {

enum class Stage : int { session, cgroup, limit, workdir, exec, stopped };

// The child writes this to the pipe if it fails; exec closes the pipe.
struct Failure {
  Stage stage = Stage::exec;
  int error = 0;
  int candidate = 0;
};

[[noreturn]] void give_up(int report, Failure failure) {
  while (::write(report, &failure, sizeof failure) < 0 && errno == EINTR) continue;
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  list.reserve(strings.size() + 1);
  for (auto& s : strings) list.push_back(s.data());
  list.push_back(nullptr);
  return list;
}

void unblock_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void restore_oom_score(const std::string& score) {
  if (score.empty()) return;
  const Fd fd{::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)};
  if (::write(fd.get(), score.data(), score.size()) < 0) return;  // it inherits the supervisor's: harmless
}

void enter_session(int report, pid_t supervisor) {
  ::setsid();
  // The leader dies with the supervisor. The executor cleans up the rest.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(report, {Stage::session, errno});
  if (::getppid() != supervisor) ::_exit(127);
}

void take_limits(int report, const JobStart& start) {
  if (const int error = start.cgroup.enter(); error != 0) give_up(report, {Stage::cgroup, error});
  if (rlimit files{}; start.launch.open_files > 0 && ::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = std::min(static_cast<rlim_t>(start.launch.open_files), files.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &files) != 0) give_up(report, {Stage::limit, errno});
  }
  if (start.launch.data_limit <= 0) return;
  const auto bytes = static_cast<rlim_t>(start.launch.data_limit);
  const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0) give_up(report, {Stage::limit, errno});
}

void connect_streams(int output) {
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
}

// As execvp: skips missing files, and remembers files that may not be executed.
[[noreturn]] void execute(int report, int attempt_folder, const std::vector<std::string>& paths, char* const* argv,
                          char* const* env) {
  Failure failure{Stage::exec, ENOENT, 0};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    // execve also returns ENOENT if the file exists but its interpreter does not.
    if (::access(paths[i].c_str(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) continue;
    if (late_stop(attempt_folder)) give_up(report, {Stage::stopped, 0});
    ::execve(paths[i].c_str(), argv, env);
    const int error = errno;
    failure = {Stage::exec, error, static_cast<int>(i)};
    if (error != EACCES) break;
  }
  give_up(report, failure);
}

std::vector<std::string> environment(const LaunchRecord& launch, std::int32_t task) {
  auto env = launch.env;
  const auto& own = launch.task_env.at(static_cast<std::size_t>(task));
  env.insert(env.end(), own.begin(), own.end());
  return env;
}

// A name must not occur twice.
std::vector<std::string> marked(std::vector<std::string> env, const std::string& nonce) {
  const std::string name = "YM_LAUNCH_NONCE=";
  std::erase_if(env, [&](const std::string& pair) { return pair.starts_with(name); });
  env.push_back(name + nonce);
  return env;
}

bool may_heal(int error) {
  constexpr std::array kPassing{EAGAIN, ENOMEM, EMFILE, ENFILE, EIO, ETXTBSY, EINTR, ENOSPC, EBUSY, ESTALE};
  return std::ranges::find(kPassing, error) != kPassing.end();
}

// The path as the child saw it, from its working directory.
std::string seen_from(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

std::string explain_exec(const Failure& failure, const LaunchRecord& launch, const std::vector<std::string>& paths) {
  if (paths.empty()) return "execve: the program's name is empty";
  const auto& program = launch.argv.front();
  const auto& path = paths[static_cast<std::size_t>(failure.candidate)];
  const auto file = seen_from(launch.workdir, path);
  if (::access(file.c_str(), F_OK) == 0) return explain_exec_failure(path, file, failure.error);
  const auto message = os_error("execve " + program, failure.error).message;
  return program.find('/') == std::string::npos ? message + " (it is in no folder of the job's PATH)" : message;
}

Error explain(const Failure& failure, const LaunchRecord& launch, const std::vector<std::string>& paths) {
  Error error{.code = ErrorCode::io};
  switch (failure.stage) {
    case Stage::session: error = os_error("prctl", failure.error); break;
    case Stage::cgroup: error = os_error("enter the control group", failure.error); break;
    case Stage::limit: error = os_error("set the memory limit", failure.error); break;
    case Stage::workdir: error = os_error("chdir " + launch.workdir, failure.error); break;
    case Stage::exec: error.message = explain_exec(failure, launch, paths); break;
    case Stage::stopped: break;
  }
  error.retryable = may_heal(failure.error);
  return error;
}

std::string path_in(const std::vector<std::string>& env) {
  std::string path = "/usr/local/bin:/usr/bin:/bin";
  for (const auto& pair : env)
    if (pair.starts_with("PATH=")) path = pair.substr(5);  // the last one counts
  return path;
}

// The pipe closes on exec and on death; the kernel knows which it was.
StartReport end_of_report(pid_t child) {
  const auto stat = read_stat(child);
  if (!stat || stat->executed) return {.state = StartReport::State::runs};
  return {.state = StartReport::State::failed,
          .error = {.code = ErrorCode::io,
                    .message = "the process was killed before user code began, not by yardmaster",
                    .retryable = true}};
}

Error retryable(Error error) {
  error.retryable = true;
  return error;
}

}  // namespace

std::vector<std::string> candidates(const std::string& program, const std::vector<std::string>& env) {
  if (program.empty()) return {};
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> found;
  const auto path = path_in(env);
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    const auto folder = path.substr(begin, end - begin);
    found.push_back((folder.empty() ? "." : folder) + "/" + program);
    begin = end + 1;
  }
  return found;
}

std::string explain_exec_failure(const std::string& program, const std::string& file, int error) {
  auto message = os_error("execve " + program, error).message;
  const Fd fd{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  std::array<char, 256> head{};
  const ssize_t n = fd ? ::read(fd.get(), head.data(), head.size()) : -1;
  if (n < 0) return message;
  std::string line(head.data(), static_cast<std::size_t>(n));
  line = line.substr(0, line.find('\n'));
  const bool script = line.starts_with("#!");
  if (script && line.ends_with('\r'))
    return message +
           " (the script has Windows line endings: its first line ends in CR; convert it to Unix line "
           "endings, for example with dos2unix)";
  if (error == ENOENT && script) {
    const auto begin = line.find_first_not_of(' ', 2);
    const auto interpreter = begin == std::string::npos ? "" : line.substr(begin, line.find(' ', begin) - begin);
    return message + " (the script is there, but its interpreter '" + interpreter + "' is not)";
  }
  if (error == ENOEXEC) return message + " (neither a program for this machine nor a script that begins with #!)";
  return message;
}

Result<StartingJob> start_job(const JobStart& start) {
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) return std::unexpected(retryable(os_error("pipe")));
  Fd reading{report[0]};
  const Fd writing{report[1]};
  ::fcntl(reading.get(), F_SETFL, O_NONBLOCK);
  auto words = start.launch.argv;
  auto env = marked(environment(start.launch, start.task), start.nonce);
  const auto paths = candidates(words.front(), env);
  const auto argv = pointers(words);
  const auto envp = pointers(env);
  const pid_t supervisor = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return std::unexpected(retryable(os_error("fork")));
  if (pid == 0) {
    enter_session(writing.get(), supervisor);
    restore_oom_score(start.oom_score);
    take_limits(writing.get(), start);
    connect_streams(start.output);
    ::umask(start.umask);
    unblock_signals();
    if (::chdir(start.launch.workdir.c_str()) != 0) give_up(writing.get(), {Stage::workdir, errno});
    execute(writing.get(), start.attempt_folder, paths, argv.data(), envp.data());
  }
  return StartingJob{pid, std::move(reading)};
}

StartReport hear_start(const StartingJob& starting, const LaunchRecord& launch, std::int32_t task) {
  Failure failure;
  ssize_t n = 0;
  while ((n = ::read(starting.report.get(), &failure, sizeof failure)) < 0 && errno == EINTR) continue;
  if (n < 0) return {};
  if (n == 0) return end_of_report(starting.pid);
  if (failure.stage == Stage::stopped) return {.state = StartReport::State::stopped};
  const auto paths = candidates(launch.argv.front(), environment(launch, task));
  return {.state = StartReport::State::failed, .error = explain(failure, launch, paths)};
}

}  // namespace ym::local
