// Supervisor: stops and their deadlines.
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/signals.h"
#include "executor/local/supervisor/notice.h"
#include "executor/local/supervisor/supervisor.h"

namespace ym::local {
namespace {

constexpr std::int64_t kLastWordsMs = 200;      // between the SIGTERM to the group and the SIGKILL
constexpr std::int64_t kSameDeadlineMs = 1000;  // a deadline earlier by less than this needs no new notice

int signal_number(const std::string& name) { return parse_signal(name).value_or(SIGTERM); }

// Does not reap the child.
bool has_ended(pid_t child) {
  siginfo_t about{};
  return ::waitid(P_PID, static_cast<id_t>(child), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == child;
}

bool is_there(const Listener& listener) {
  const auto now = read_stat(listener.process.pid);
  return now && now->start_ticks == listener.process.start_ticks && !now->dead();
}

}  // namespace

void Supervisor::obey() {
  for (const auto& line : socket_.receive()) {
    const auto stop = parse_stop(line);
    if (!stop || over_) continue;
    if (!stop_.cause()) first_stop_cause_ = stop->cause;
    request_stop(why(stop->cause), signal_number(stop->signal), stop->grace);
  }
}

void Supervisor::request_stop(WhyStopped cause, int signal, Duration grace) {
  // It ended by itself before the request arrived.
  const bool runs = endings_.leader != 0 && !starting_;
  if (runs && !endings_.leader_status && has_ended(endings_.leader)) return;
  const auto before = stop_.deadline();
  const auto now = boot_now();
  const bool first = stop_.request(cause, now, grace.ms);
  if (endings_.leader == 0) return;
  if (first) abandon_start();
  if (over_) return;
  if (stop_.deadline() <= now) return kill_at_once();
  if (first) stopped_at_ = now;
  // A restarted server repeats its stop with the grace that it thinks is left.
  if (first || *stop_.deadline() <= *before - kSameDeadlineMs) give_notice();
  if (first && !endings_.leader_status) send_signal(signal);
}

// Before the signal: user code that handles it finds the reason. If the disk is full, there is only the signal.
void Supervisor::give_notice() {
  if (marker_.folder() < 0) return;
  const auto left = *stop_.deadline() - boot_now();
  const auto at = wall_now().ms;
  const Instant deadline{left > INT64_MAX - at ? INT64_MAX : at + left};
  const Duration grace{*stop_.deadline() - stopped_at_};
  static_cast<void>(replace_file(marker_.folder(), kNoticeFile, notice_text(*stop_.cause(), deadline, grace)));
}

void Supervisor::send_signal(int signal) {
  const auto heard = listeners(endings_.leader);
  // The leader is not reaped, so the pid is still its own.
  if (heard.empty()) ::kill(endings_.leader, signal);
  if (heard.size() > 1) endings_.listeners.assign(heard.begin() + 1, heard.end());
  // The shell first: otherwise it would see its command die and start the next one.
  for (const auto& listener : heard)
    if (listener.told) signal_exactly(listener.process, signal);
}

// The shell at the front has ended, but its command still uses its grace. This process is the parent of the rest.
bool Supervisor::follows_listeners() const { return std::ranges::any_of(endings_.listeners, is_there); }

void Supervisor::keep_time() {
  if (over_) return;
  const auto now = boot_now();
  if (start_by_ && now >= *start_by_) abandon_start();
  // Also during a stop: its grace may be longer than the time limit plus the job's own grace.
  if (limit_at_ && now >= *limit_at_) {
    limit_at_.reset();
    request_stop(WhyStopped::time_limit, signal_number(launch_.stop_signal), launch_.stop_grace);
  }
  if (const auto deadline = stop_.deadline(); deadline && now >= *deadline && !forced_) force();
  if (kill_at_ && now >= *kill_at_) over_ = true;
}

void Supervisor::force() {
  forced_ = true;
  kill_at_ = boot_now() + kLastWordsMs;
  // The leader is not reaped, so its process group id still means this group.
  if (!endings_.leader_status) ::kill(-endings_.leader, SIGTERM);
}

// No grace, and no signal before the kill.
void Supervisor::kill_at_once() { over_ = forced_ = true; }

}  // namespace ym::local
