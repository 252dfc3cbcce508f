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
#include "executor/local/supervisor/log_tail.h"
#include "executor/local/supervisor/port_conflict.h"
#include "executor/local/supervisor/verdict.h"
#include "executor/local/supervisor/worker_failure.h"

namespace ym::local {
namespace {

constexpr std::int64_t kMaxSweepPauseMs = 200;
constexpr std::int64_t kRecordPauseMs = 200;

}  // namespace

void Supervisor::supervise() {
  while (!no_children_) {
    waiter_.wait(socket_, {output_.get(), starting_ ? starting_->report.get() : -1, marker_.fd()}, next_deadline());
    pump();
    hear_of_start();
    reap();
    obey();
    keep_time();
    hear_progress();
    if (over_) sweep();
  }
  drain();
}

void Supervisor::pump() {
  more_output_ = false;
  if (!output_) return;
  const auto pumped = log_->pump(output_.get(), [this](std::string_view piece) { keep(scanner_.scan(piece)); });
  if (pumped == LogWriter::Pumped::end) output_.reset();
  more_output_ = pumped == LogWriter::Pumped::more;
}

// Ends when all processes that could write have ended.
void Supervisor::drain() {
  do pump();
  while (more_output_);
}

void Supervisor::reap() {
  siginfo_t ended{};
  int looked = 0;
  while ((looked = ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT)) == 0 && ended.si_pid != 0) {
    // Only before it is reaped, the kernel knows whether the child reached user code.
    if (ended.si_pid == endings_.leader) hear_of_start();
    int status = 0;
    if (::waitpid(ended.si_pid, &status, 0) == ended.si_pid) endings_.reaped(ended.si_pid, status);
    ended = {};
  }
  no_children_ = looked < 0 && errno == ECHILD;
  if (!endings_.leader_status || follows_listeners()) return;
  over_ = true;
  if (!ended_at_) ended_at_ = wall_now();
}

// Kills the remaining processes again and again: one that forks may be a step ahead, and one that hangs in the kernel
// dies when the kernel releases it. Nothing is reported before all have ended.
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
  consider(start_by_);
  consider(limit_at_);
  if (!forced_) consider(stop_.deadline());
  consider(kill_at_);
  consider(marker_.look_at());
  if (socket_.is_behind(progress_.newest())) consider(progress_.tell_at());
  return next;
}

TaskExit Supervisor::verdict() const {
  if (not_started_) return *not_started_;
  const auto& leader = endings_.leader_status;
  const bool by_listener = endings_.listener_status && leader && WIFSIGNALED(*leader);
  const int status = by_listener ? *endings_.listener_status : leader.value_or(SIGKILL);
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const auto last_words = well ? std::string() : log_tail(task_folder_.get(), launch_.log_path());
  const bool failed = !stop_.cause() && WIFEXITED(status) && !well;
  if (failed && launch_.torchrun && launch_.port != 0 && says_port_is_taken(last_words, launch_.port))
    return port_was_taken(launch_.port);
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  const auto out_of_memory = [&] {
    return cgroup_.oom_kills() > 0 || (killed && machine_oom_kills() > oom_kills_before_);
  };
  auto exit = classify({.wait_status = status,
                        .stopped = stop_.cause(),
                        .forced = forced_,
                        .out_of_memory = !well && out_of_memory(),
                        .memory_limit = launch_.data_limit > 0 ? 0 : launch_.limits.memory_bytes,
                        .shell = launch_.form == Program::Form::shell});
  exit.worker = worker_failure_in(last_words);
  return exit;
}

void Supervisor::finish(TaskExit exit) {
  // Other tasks of the gang may have died of this end before all processes had ended.
  exit.at = ended_at_.value_or(wall_now());
  ExitRecord record{.exit = std::move(exit)};
  if (record.exit.by == EndedBy::start_failed) log_->note(record.exit.message);
  log_->finish();
  record.log_bytes = log_->kept();
  record.log_dropped = log_->dropped();
  record.progress = last_progress();
  cgroup_.remove();
  // This process alone knows the end, so it stays until it has written it, or until the folder has been removed.
  while (!write_exit(task_folder_.get(), claim_, record) && !is_removed(task_folder_.get())) {
    if (::unlinkat(task_folder_.get(), kReserveFile, 0) == 0) continue;
    waiter_.wait(socket_, {}, boot_now() + kRecordPauseMs);
    socket_.receive();
  }
  ::unlinkat(task_folder_.get(), kReserveFile, 0);
  // Removing the folder does not close the connection: clients get the record through it.
  socket_.set_state(is_removed(task_folder_.get()) ? end_line(record) : "ended");
}

Instant wall_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return {now.tv_sec * 1000 + now.tv_nsec / 1'000'000};
}

// Of several at once, only the last one and the urgent ones.
void Supervisor::keep(std::vector<std::string> reports) {
  for (auto& report : reports) {
    const bool last = &report == &reports.back();
    if (last || is_urgent(report)) progress_.take(std::move(report), wall_now());
  }
}

void Supervisor::hear_progress() {
  const auto now = boot_now();
  if (auto text = marker_.look(now)) progress_.take(std::move(*text), wall_now());
  if (now < progress_.tell_at() || !socket_.is_behind(progress_.newest())) return;
  progress_.told(now, socket_.tell(progress_.kept()));
}

// The exit record has the reports that no server has got.
std::vector<RawReport> Supervisor::last_progress() {
  keep(scanner_.finish());
  if (auto text = marker_.last_look()) progress_.take(std::move(*text), wall_now());
  return progress_.kept();
}

}  // namespace ym::local
