// TaskRun: the connection to the supervisor.
#include <algorithm>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/task_run.h"

namespace ym::local {
namespace {

constexpr Duration kRetryPause{50};
constexpr int kMostUnanswered = 2;

// Two looks without an answer make the contact timeout.
Duration look_pause(const TaskHost& host) { return {std::max<std::int64_t>(host.options().contact_timeout.ms / 2, 1)}; }

}  // namespace

void TaskRun::say(const std::string& line) {
  if (link_ && greeted_) send_line(link_.get(), line);
}

void TaskRun::connect() {
  // Each new try gets the whole timeout.
  if (!has_contact_) missed_since_ = boot_now();
  if (auto link = connect_to(folder())) attach(std::move(*link));
  check_contact();
}

void TaskRun::attach(Fd link) {
  link_ = std::move(link);
  reader_ = {};
  greeted_ = waits_ = false;
  unanswered_ = 0;
  watch_ = host_.loop().watch(link_.get(), [this] { on_readable(); });
}

// From its greeting on; for a supervisor that was just started, from the beginning.
void TaskRun::watch_over_link() {
  if (checked_ == watch_) return;
  checked_ = watch_;
  check_link_later();
}

void TaskRun::check_link_later() {
  host_.loop().after(look_pause(host_), host_.guarded([this, id = watch_] { check_link(id); }));
}

void TaskRun::detach() {
  if (!link_) return;
  host_.loop().forget(watch_);
  link_.reset();
}

// Until a supervisor with a claim has sent its greeting.
void TaskRun::check_contact() {
  if (ended_ || ending_leftovers_ || (link_ && greeted_)) return;
  const auto now = boot_now();
  if (missed_since_ == 0) missed_since_ = now;
  const bool missed = now - missed_since_ >= host_.options().contact_timeout.ms;
  if (missed) {
    // A new connection, in case the other end never reads this one.
    detach();
    has_contact_ = false;
    host_.contact_lost("the supervisor of task " + std::to_string(task_) + " does not answer");
  }
  if (!link_) return look_later(missed ? kIoPause : kRetryPause);
  host_.loop().after(kRetryPause, host_.guarded([this] { check_contact(); }));
}

// It counts looks instead of time: while the machine slept or the server was busy, the supervisor had no time to
// answer.
void TaskRun::check_link(EventLoop::WatchId id) {
  if (ended_ || ending_leftovers_ || !link_ || watch_ != id) return;
  if (greeted_ && unanswered_ >= kMostUnanswered) return lose_link();
  if (!greeted_ && unanswered_ >= kMostUnanswered) {
    // Before its claim, only the start timeout limits a supervisor.
    const Visit visit{*this};
    if (exists(folder(), kClaimFile)) return lose_link();
  }
  ++unanswered_;
  if (greeted_) say(std::string(kPing));
  check_link_later();
}

// Continues as with a supervisor that was missed for long: a new connection from time to time, which it answers when it
// wakes.
void TaskRun::lose_link() {
  detach();
  missed_since_ = boot_now() - host_.options().contact_timeout.ms;
  look();
}

void TaskRun::on_readable() {
  unanswered_ = 0;
  std::vector<std::string> lines;
  const bool open = reader_.read(link_.get(), lines);
  for (const auto& line : lines) on_line(line);
  if (ended_ || (open && link_)) return;
  detach();
  const Visit visit{*this};
  // Without a claim the supervisor could not begin, and the next one may fail as fast.
  if (exists(folder(), kClaimFile)) look();
  else look_later(kSpawnPause);
}

void TaskRun::on_line(const std::string& line) {
  if (ended_) return;
  if (greeted_version(line, host_.token(), task_)) return on_greeting();
  if (line.starts_with("failed ")) failure_ = line.substr(7);
  if (!greeted_) return;
  if (line == "waiting") {
    waits_ = true;
    host_.task_waits();
  }
  if (line == "running") report_running();
  if (auto report = parse_progress(line)) hear_progress(std::move(*report));
  if (line == "ended") {
    said_ended_ = true;
    detach();
    look();
  }
  if (auto record = parse_end(line)) {  // its folder was removed
    detach();
    take(std::move(*record));
  }
}

void TaskRun::on_greeting() {
  greeted_ = true;
  has_contact_ = true;
  missed_since_ = 0;
  watch_over_link();
  if (const auto stop = host_.pending_stop()) say(stop_line(*stop));
  host_.contact_back();
}

}  // namespace ym::local
