#include "executor/local/task_run.h"

#include <fcntl.h>

#include "base/assert.h"
#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/remains.h"
#include "executor/local/spawn.h"

namespace ym::local {
namespace {

constexpr int kMaxSpawns = 3;
constexpr Duration kSpawnPause{200};
constexpr Duration kRetryPause{50};
constexpr Duration kIoPause = seconds(1);
constexpr Duration kBuryPause{20};
// Between its last breath as a fork of the supervisor and its first as user code, a
// process is in no list for an instant.
constexpr int kQuietRounds = 2;

}  // namespace

class TaskRun::Visit {
 public:
  explicit Visit(TaskRun& run) : run_(run) { ++run_.visits_; }
  ~Visit() {
    if (--run_.visits_ == 0) run_.folder_.reset();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  TaskRun& run_;
};

TaskRun::TaskRun(TaskHost& host, std::int32_t task, std::string path)
    : host_(host), task_(task), path_(std::move(path)) {}

// If it cannot be opened, whoever uses it gets an error and tries again.
int TaskRun::folder() {
  YM_ASSERT(visits_ > 0);
  if (!folder_)
    if (auto opened = open_folder(AT_FDCWD, path_)) folder_ = std::move(*opened);
  return folder_.get();
}

TaskRun::~TaskRun() { detach(); }

void TaskRun::allow_spawn() {
  may_spawn_ = true;
  look();
}

void TaskRun::say(const std::string& line) {
  if (link_ && greeted_) send_line(link_.get(), line);
}

void TaskRun::look() {
  if (ended_ || burying_) return;
  const Visit visit{*this};
  auto claim = read_claim(folder());
  if (!claim && claim.error().code == ErrorCode::not_found) return look_unclaimed();
  if (!claim && claim.error().code == ErrorCode::io) return look_later(kIoPause);
  if (claim) claim_ = std::move(*claim);
  look_claimed();
}

void TaskRun::look_unclaimed() {
  const auto decision = read_decision(host_.folder());
  if (!decision) return look_later(kIoPause);
  // A supervisor that comes now finds the gate closed.
  if (*decision) return end_released((*decision)->cause);
  if (!link_ && may_spawn_) spawn();
}

void TaskRun::look_claimed() {
  if (take_exit()) return;
  if (claim_ && claim_->supervisor.boot != boot_id()) {
    return end_now(EndedBy::lost, "the machine was restarted while it ran");
  }
  if (link_) return;
  auto lock = try_lock_task(folder());
  if (!lock) return look_later(kIoPause);
  if (!*lock) return connect();
  // It is dead. What it wrote last, it wrote before.
  if (!take_exit()) bury();
}

void TaskRun::spawn() {
  if (spawns_ == kMaxSpawns) return give_up();
  ++spawns_;
  auto link = spawn_supervisor(host_.loop(), host_.options().supervisor, path_);
  if (!link) {
    failure_ = link.error().message;
    return look_later(kSpawnPause);
  }
  failure_ = "the supervisor died before it claimed the task";
  attach(std::move(*link));
  host_.task_waits();
}

void TaskRun::give_up() {
  if (!decide(host_.folder(), release_because(StopCause::gang_failure))) return look_later(kIoPause);
  look();
}

void TaskRun::connect() {
  // Each new try has the whole time to be answered.
  if (!has_contact_) missed_since_ = boot_now();
  if (auto link = connect_to(folder())) attach(std::move(*link));
  check_contact();
}

void TaskRun::attach(Fd link) {
  link_ = std::move(link);
  reader_ = {};
  greeted_ = false;
  watch_ = host_.loop().watch(link_.get(), [this] { on_readable(); });
}

void TaskRun::detach() {
  if (!link_) return;
  host_.loop().forget(watch_);
  link_.reset();
}

// Until a supervisor that has claimed the task has greeted us.
void TaskRun::check_contact() {
  if (ended_ || burying_ || (link_ && greeted_)) return;
  const auto now = boot_now();
  if (missed_since_ == 0) missed_since_ = now;
  const bool missed = now - missed_since_ >= host_.options().contact_timeout.ms;
  if (missed) {
    // A new connection, in case that this one was made to one who never reads it.
    detach();
    has_contact_ = false;
    host_.contact(task_, false);
  }
  if (!link_) return look_later(missed ? kIoPause : kRetryPause);
  host_.loop().after(kRetryPause, host_.guarded([this] { check_contact(); }));
}

void TaskRun::on_readable() {
  std::vector<std::string> lines;
  const bool open = reader_.read(link_.get(), lines);
  for (const auto& line : lines) on_line(line);
  if (ended_ || (open && link_)) return;
  detach();
  const Visit visit{*this};
  // Without a claim it could not begin, and the next one may fail as fast.
  if (exists(folder(), kClaimFile)) look();
  else look_later(kSpawnPause);
}

void TaskRun::on_line(const std::string& line) {
  if (ended_) return;
  if (greets(line, host_.token(), task_)) return on_greeting();
  if (line.starts_with("failed ")) failure_ = line.substr(7);
  if (!greeted_) return;
  if (line == "waiting") host_.task_waits();
  if (line == "running") report_running();
  if (line == "ended") {
    detach();
    look();
  }
}

void TaskRun::on_greeting() {
  greeted_ = true;
  has_contact_ = true;
  missed_since_ = 0;
  if (const auto stop = host_.pending_stop()) say(stop_line(*stop));
  host_.contact(task_, true);
}

bool TaskRun::take_exit() {
  if (!claim_) return false;
  auto record = read_exit(folder(), *claim_);
  if (!record) return false;
  if (record->exit.by != EndedBy::start_failed) report_running();
  end(std::move(record->exit));
  return true;
}

void TaskRun::report_running() {
  if (running_reported_) return;
  running_reported_ = true;
  host_.task_runs(task_);
}

void TaskRun::bury() {
  burying_ = true;
  const auto decision = decide(host_.folder(), release_because(StopCause::gang_failure));
  if (!decision) {
    burying_ = false;
    return look_later(kIoPause);
  }
  if (decision->verdict == Decision::Verdict::go) return bury_round();
  failure_ = "the supervisor died before user code started";
  end_released(decision->cause);
}

void TaskRun::bury_round() {
  const Visit visit{*this};
  // A claim that cannot be read leaves only the environment to go by.
  const auto claim = claim_.value_or(Claim{.token = host_.token(), .task = task_});
  const auto leader = read_started(folder(), claim);
  quiet_rounds_ = kill_remains(claim, leader) == 0 ? quiet_rounds_ + 1 : 0;
  if (quiet_rounds_ < kQuietRounds) {
    host_.loop().after(kBuryPause, host_.guarded([this] { bury_round(); }));
    return;
  }
  TaskCgroup{claim.cgroups}.remove();
  if (leader) report_running();
  end_now(EndedBy::lost, "its supervisor was killed; what was left of it is gone");
}

void TaskRun::look_later(Duration delay) {
  host_.loop().after(delay, host_.guarded([this] { look(); }));
}

void TaskRun::end_released(StopCause cause) {
  auto message = released_at_gate(cause).message;
  if (cause == StopCause::gang_failure && !failure_.empty()) message = "could not start: " + failure_;
  end_now(EndedBy::start_failed, std::move(message));
}

// An end that no supervisor has recorded. It is written down for the next server, which
// need not search again, and so that the log counts as complete.
void TaskRun::end_now(EndedBy by, std::string message) {
  TaskExit exit{.by = by, .message = std::move(message), .at = host_.clock().now()};
  if (claim_) static_cast<void>(write_exit(folder(), *claim_, {.exit = exit}));
  end(std::move(exit));
}

void TaskRun::end(TaskExit exit) {
  ended_ = true;
  detach();
  host_.task_ended(task_, std::move(exit));
}

}  // namespace ym::local
