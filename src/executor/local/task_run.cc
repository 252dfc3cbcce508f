#include "executor/local/task_run.h"

#include <fcntl.h>

#include <filesystem>

#include "base/assert.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/machine/spawn.h"

namespace ym::local {
namespace {

constexpr int kMaxSpawns = 3;
constexpr Duration kLeavingPause{2};
constexpr int kLeavingLooks = 50;
constexpr Duration kLeftoversPause{500};
constexpr int kLeftoversLooks = 4;

}  // namespace

TaskRun::TaskRun(TaskHost& host, std::int32_t task, std::string path)
    : host_(host), task_(task), path_(std::move(path)) {}

// -1 if it cannot be opened: calls with it fail, and the task looks again later.
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
  if (ended_ || ending_leftovers_) return;
  const Visit visit{*this};
  if (folder() < 0) return look_without_folder();
  // A claim never changes: the first one that was read counts, whatever happens to the file.
  auto claim = claim_ ? Result<Claim>(*claim_) : read_claim(folder());
  if (!claim && claim.error().code == ErrorCode::io) return cannot_look(claim.error());
  const bool is_unclaimed = !claim && claim.error().code == ErrorCode::not_found;
  if (claim) claim_ = std::move(*claim);
  if (host_.is_of_earlier_boot() || claims_earlier_boot()) return look_after_restart();
  if (is_unclaimed) return look_unclaimed();
  look_claimed();
}

bool TaskRun::claims_earlier_boot() {
  if (!claim_ || claim_->supervisor.boot == boot_id()) return false;
  if (!host_.may_live()) return true;
  claim_.reset();
  return false;
}

// The folder was removed. If there is a connection, the supervisor reports the end itself.
void TaskRun::look_without_folder() {
  std::error_code unknown;
  const bool is_gone = !std::filesystem::exists(path_, unknown) && !unknown;
  if (link_ || !is_gone || host_.may_live())
    return cannot_look({.code = ErrorCode::io,
                        .message = "the folder of task " + std::to_string(task_) + " cannot be opened: " + path_});
  end_now(EndedBy::lost, "its folder was removed while it ran, and nothing of it lives any more");
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
  const auto begun = has_begun();
  if (!begun) return cannot_look(begun.error());
  // So there was a claim. Its absence proves nothing.
  if (*begun) return look_claimed();
  const bool is_to_act = *decision || (!link_ && may_spawn_);
  if (is_to_act && host_.is_found() && host_.may_live_past_barrier())
    return cannot_look(
        {.code = ErrorCode::conflict,
         .message = "task " + std::to_string(task_) + " left no claim, but processes of the attempt still run"});
  // A supervisor that comes now finds the barrier closed.
  if (*decision) return end_released((*decision)->cause);
  if (!link_ && may_spawn_) spawn();
}

// User code can write an exit record too, while it lives. So a record counts only if the supervisor says so, or is
// dead.
void TaskRun::look_claimed() {
  if (said_ended_) {
    const auto ended = take_exit();
    if (!ended) return cannot_look(ended.error());
    if (*ended) return;
  }
  if (link_) return;
  auto lock = try_lock_task(folder());
  if (!lock) return cannot_look(lock.error());
  if (!*lock) return look_at_held();
  lock->reset();
  look_at_unlocked();
}

// If there is a record, the supervisor is about to end.
void TaskRun::look_at_held() {
  is_leaving_ = leaving_looks_ < kLeavingLooks && recorded_exit();
  if (!is_leaving_) return connect();
  ++leaving_looks_;
  look_later(kLeavingPause);
}

// The supervisor is dead, so its record is complete. If the task had started, its remaining processes are killed first;
// after a normal end there are none.
void TaskRun::look_at_unlocked() {
  const auto living = supervisor_lives();
  if (!living) return cannot_look(living.error());
  if (*living) return look_at_leaving();
  const auto begun = has_begun();
  if (!begun) return cannot_look(begun.error());
  if (*begun && may_have_left_something()) {
    // With a record it usually had a normal end, and is gone by the next list of all processes, which serves all tasks.
    // Looking for the rest of one task needs a list of its own.
    is_leaving_ = leftovers_looks_ < kLeftoversLooks && recorded_exit();
    if (!is_leaving_) return end_leftovers();
    ++leftovers_looks_;
    return look_later(kLeftoversPause);
  }
  const auto ended = take_exit();
  if (!ended) return cannot_look(ended.error());
  if (!*ended) end_leftovers();
}

bool TaskRun::may_have_left_something() {
  const bool knows_nonce = claim_ && !claim_->nonce.empty();
  return knows_nonce ? host_.may_live(claim_->nonce) : host_.may_live();
}

// The barrier opens only after every task is claimed, and only a supervisor with a claim writes these files.
Result<bool> TaskRun::has_begun() {
  const auto decision = read_decision(host_.folder());
  if (!decision) return std::unexpected(decision.error());
  if (running_reported_ || host_.has_begun() || *decision == kGo) return true;
  return !claim_ && (exists(folder(), kStartedFile) || exists(folder(), kLogFile) || exists(folder(), kExitFile));
}

Result<bool> TaskRun::supervisor_lives() {
  if (claim_) return lives(claim_->supervisor);
  return host_.supervisor_of(task_).has_value();
}

// The supervisor lives without the lock. Usually it is about to end, and the rest of its gang must get that soon.
// Otherwise the lock was removed, and its socket answers; or this folder is a copy without a socket, and the task must
// not be ended here.
void TaskRun::look_at_leaving() {
  is_leaving_ = leaving_looks_ < kLeavingLooks;
  if (!is_leaving_) {
    if (auto link = connect_to(folder())) attach(std::move(*link));
    return check_contact();
  }
  ++leaving_looks_;
  look_later(kLeavingPause);
}

void TaskRun::spawn() {
  if (spawns_ == kMaxSpawns) return give_up();
  if (host_.is_stopped()) return;  // the stop is being written, and looks again afterwards
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

Result<ExitRecord> TaskRun::recorded_exit() {
  return claim_ ? read_exit(folder(), *claim_) : read_last_exit(folder(), host_.token(), task_);
}

Result<bool> TaskRun::take_exit() {
  auto record = recorded_exit();
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
  const Visit visit{*this};
  host_.task_runs(task_, claim_ ? read_start_time(folder(), *claim_) : std::nullopt);
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
