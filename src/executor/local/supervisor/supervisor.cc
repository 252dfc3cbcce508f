// Supervisor: user code, and its end.
#include "executor/local/supervisor/supervisor.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process_tree.h"
#include "executor/local/attempt/signals.h"
#include "executor/local/supervisor/job_process.h"
#include "executor/local/supervisor/leader.h"
#include "executor/local/supervisor/verdict.h"

namespace ym::local {
namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr std::int64_t kLastWordsMs = 200;  // between the group's SIGTERM and the SIGKILL
constexpr std::int64_t kMaxSweepPauseMs = 200;

int signal_number(const std::string& name) { return parse_signal(name).value_or(SIGTERM); }

Instant wall_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return {now.tv_sec * 1000 + now.tv_nsec / 1'000'000};
}

}  // namespace

Result<void> Supervisor::start() {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return std::unexpected(os_error("pipe"));
  output_ = Fd{pipe[0]};
  const Fd writing{pipe[1]};
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(output_.get(), F_SETPIPE_SZ, kPipeBytes);  // saves wake-ups; a refusal costs nothing
  cgroup_ = TaskCgroup{claim_.cgroups};
  if (auto made = cgroup_.create(launch_.cgroups, launch_.limits); !made) {
    made.error().retryable = true;
    return made;
  }
  oom_kills_before_ = machine_oom_kills();
  const auto pid = start_job({.launch = launch_,
                              .task = claim_.task,
                              .cgroup = cgroup_,
                              .output = writing.get(),
                              .umask = inherited_.umask,
                              .oom_score = inherited_.oom_score});
  if (!pid) return std::unexpected(pid.error());
  leader_ = *pid;
  if (launch_.time_limit) limit_at_ = boot_now() + launch_.time_limit->ms;
  // Without this record a later server still sees the claim and the decision.
  if (const auto leader = identity_of(leader_)) static_cast<void>(write_started(task_folder_.get(), claim_, *leader));
  socket_.set_state("running");
  return {};
}

void Supervisor::supervise() {
  while (!no_children_) {
    waiter_.wait(socket_, output_.get(), next_deadline());
    pump();
    reap();
    obey();
    keep_time();
    if (over_) sweep();
  }
}

void Supervisor::pump() {
  more_output_ = false;
  if (!output_) return;
  const auto pumped = log_->pump(output_.get());
  if (pumped == LogWriter::Pumped::end) output_.reset();
  more_output_ = pumped == LogWriter::Pumped::more;
}

void Supervisor::reap() {
  int status = 0;
  pid_t pid = 0;
  while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid == leader_) leader_status_ = status;
    else if (std::ranges::find(listeners_, pid, &ProcessStat::pid) != listeners_.end()) listener_status_ = status;
  }
  no_children_ = pid < 0 && errno == ECHILD;
  if (leader_status_ && !follows_listeners()) over_ = true;
}

// The shell died of our signal, but the command that it ran still uses its grace. We
// are the parent of what it left.
bool Supervisor::follows_listeners() const {
  if (!WIFSIGNALED(*leader_status_)) return false;
  return std::ranges::any_of(listeners_, [](const ProcessStat& listener) {
    const auto now = read_stat(listener.pid);
    return now && now->start_ticks == listener.start_ticks && !now->dead();
  });
}

void Supervisor::obey() {
  for (const auto& line : socket_.receive()) {
    const auto stop = parse_stop(line);
    if (!stop || over_) continue;
    if (!stop_.cause()) gate_cause_ = stop->cause;
    request_stop(why(stop->cause), signal_number(stop->signal), stop->grace.ms);
  }
}

void Supervisor::request_stop(WhyStopped cause, int signal, std::int64_t grace_ms) {
  if (!stop_.request(cause, boot_now(), grace_ms) || leader_ == 0) return;
  const auto heard = listeners(leader_);
  if (heard.size() > 1) listeners_.assign(heard.begin() + 1, heard.end());
  // The last first: a shell that dies must not take its command's notice with it.
  for (auto process = heard.rbegin(); process != heard.rend(); ++process) signal_exactly(*process, signal);
}

void Supervisor::keep_time() {
  if (over_) return;
  const auto now = boot_now();
  if (limit_at_ && now >= *limit_at_ && !stop_.cause())
    request_stop(WhyStopped::time_limit, signal_number(launch_.stop_signal), launch_.stop_grace.ms);
  if (const auto deadline = stop_.deadline(); deadline && now >= *deadline && !forced_) force();
  if (kill_at_ && now >= *kill_at_) over_ = true;
}

void Supervisor::force() {
  forced_ = true;
  kill_at_ = boot_now() + kLastWordsMs;
  // The leader is not reaped, so its group's number still means this group.
  if (!leader_status_) ::kill(-leader_, SIGTERM);
}

// Kills what is left, again and again: what forks may be a step ahead, what hangs in
// the kernel dies when that lets go. Nothing is reported before all of it is gone.
void Supervisor::sweep() {
  if (no_children_) return;
  const auto now = boot_now();
  if (sweep_at_ && now < *sweep_at_) return;
  cgroup_.kill();
  kill_descendants(::getpid());
  sweep_at_ = now + sweep_pause_;
  sweep_pause_ = std::min(2 * sweep_pause_, kMaxSweepPauseMs);
}

std::optional<std::int64_t> Supervisor::next_deadline() const {
  if (more_output_) return boot_now();
  if (over_) return sweep_at_.value_or(boot_now());
  std::optional<std::int64_t> next;
  const auto consider = [&next](std::optional<std::int64_t> at) {
    if (at && (!next || *at < *next)) next = at;
  };
  if (!stop_.cause()) consider(limit_at_);
  if (!forced_) consider(stop_.deadline());
  consider(kill_at_);
  return next;
}

TaskExit Supervisor::verdict() const {
  const bool by_listener = listener_status_ && leader_status_ && WIFSIGNALED(*leader_status_);
  const int status = by_listener ? *listener_status_ : leader_status_.value_or(SIGKILL);
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  return classify({.wait_status = status,
                   .stopped = stop_.cause(),
                   .forced = forced_,
                   .out_of_memory = cgroup_.oom_kills() > 0 || (killed && machine_oom_kills() > oom_kills_before_),
                   .shell = launch_.form == Program::Form::shell});
}

void Supervisor::finish(TaskExit exit) {
  // Everybody who could write is gone, so this ends.
  do pump();
  while (more_output_);
  exit.at = wall_now();
  ExitRecord record{.exit = std::move(exit)};
  if (record.exit.by == EndedBy::start_failed) log_->note(record.exit.message);
  log_->finish();
  record.log_bytes = log_->kept();
  record.log_dropped = log_->dropped();
  cgroup_.remove();
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 200'000'000};
  // The only witness of the end does not leave before it has told it.
  while (!write_exit(task_folder_.get(), claim_, record)) {
    if (::unlinkat(task_folder_.get(), kReserveFile, 0) != 0) ::nanosleep(&kPause, nullptr);
  }
  ::unlinkat(task_folder_.get(), kReserveFile, 0);
  ::unlinkat(task_folder_.get(), kSocketFile, 0);
  socket_.set_state("ended");
}

}  // namespace ym::local
