#include "executor/local/task_run.h"

#include <fcntl.h>

#include "base/assert.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/spawn.h"

namespace ym::local {
namespace {

constexpr int kMaxSpawns = 3;
constexpr Duration kSpawnPause{200};
constexpr Duration kLeavingPause{2};
constexpr int kLeavingLooks = 50;
constexpr Duration kIoPause = seconds(1);

}  // namespace

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

void TaskRun::look() {
  if (ended_ || burying_) return;
  const Visit visit{*this};
  if (folder() < 0) return cannot_look({.code = ErrorCode::io, .message = "cannot open " + path_});
  auto claim = read_claim(folder());
  if (!claim && claim.error().code == ErrorCode::io) return cannot_look(claim.error());
  if (!claim && claim.error().code == ErrorCode::not_found) {
    if (host_.is_of_earlier_boot()) return look_after_restart();
    // A claim is never taken back: if it is not there any more, somebody else removed it.
    return claim_ ? cannot_look(claim.error()) : look_unclaimed();
  }
  if (claim) claim_ = std::move(*claim);
  if (host_.is_of_earlier_boot()) return look_after_restart();
  look_claimed();
}

// That says nothing about the task.
void TaskRun::cannot_look(const Error& error) {
  if (!link_) {
    has_contact_ = false;
    host_.contact_lost(error.message);
  }
  look_later(kIoPause);
}

void TaskRun::look_unclaimed() {
  const auto decision = read_decision(host_.folder());
  if (!decision) return cannot_look(decision.error());
  // A supervisor that comes now finds the gate closed.
  if (*decision) return end_released((*decision)->cause);
  if (!link_ && may_spawn_) spawn();
}

void TaskRun::look_claimed() {
  const auto ended = take_exit();
  if (!ended) return cannot_look(ended.error());
  if (*ended) return;
  if (claim_ && claim_->supervisor.boot != boot_id()) return look_after_restart();
  if (link_) return;
  auto lock = try_lock_task(folder());
  if (!lock) return cannot_look(lock.error());
  if (!*lock) return connect();
  look_at_unlocked();
}

// Whoever held the lock is dead. What it wrote last, it wrote before.
void TaskRun::look_at_unlocked() {
  const auto ended = take_exit();
  const auto living = claim_ ? lives(claim_->supervisor) : Result<bool>(false);
  if (!ended || !living) return cannot_look(ended ? living.error() : ended.error());
  if (*ended) return;
  if (*living) return look_at_leaving();
  bury();
}

// The supervisor lives without the lock. It is just leaving, as a rule, and the rest of its
// gang shall hear of it soon; else it holds another lock than this, our folder is a copy of
// its own, and its task is not ours to end.
void TaskRun::look_at_leaving() {
  if (leaving_looks_ == kLeavingLooks) return check_contact();
  ++leaving_looks_;
  look_later(kLeavingPause);
}

void TaskRun::spawn() {
  if (spawns_ == kMaxSpawns) return give_up();
  if (host_.is_stopped()) return;  // the stop is on its way to the disk, and looks again
  ++spawns_;
  auto link = spawn_supervisor(host_.loop(), host_.options().supervisor, path_);
  if (!link) {
    failure_ = link.error().message;
    return look_later(kSpawnPause);
  }
  failure_ = "the supervisor died before it claimed the task";
  attach(std::move(*link));
  watch_over_link();
  host_.task_waits();
}

void TaskRun::give_up() {
  const auto decision = decide(host_.folder(), release_because(StopCause::gang_failure));
  if (!decision) return cannot_look(decision.error());
  if (*decision == release_because(StopCause::gang_failure))
    host_.cannot_start("could not start task " + std::to_string(task_) + ": " + failure_);
  look();
}

Result<bool> TaskRun::take_exit() {
  if (!claim_) return false;
  auto record = read_exit(folder(), *claim_);
  if (!record && record.error().code == ErrorCode::io) return std::unexpected(record.error());
  if (!record) return false;
  take(std::move(*record));
  return true;
}

void TaskRun::take(ExitRecord record) {
  if (record.exit.by != EndedBy::start_failed) report_running();
  for (auto& report : record.progress) hear_progress(std::move(report));
  end(std::move(record.exit));
}

void TaskRun::report_running() {
  if (running_reported_) return;
  running_reported_ = true;
  host_.task_runs(task_);
}

void TaskRun::hear_progress(RawReport report) {
  if (report.number <= heard_progress_) return;
  heard_progress_ = report.number;
  host_.task_says(task_, report);
}

void TaskRun::look_later(Duration delay) {
  host_.loop().after(delay, host_.guarded([this] { look(); }));
}

}  // namespace ym::local
