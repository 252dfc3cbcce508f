// TaskRun: ends without an exit record of a supervisor.
#include <csignal>
#include <cstdio>

#include "executor/local/attempt/cgroup.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/cleanup/leftovers.h"
#include "executor/local/task_run.h"

namespace ym::local {
namespace {

constexpr Duration kRoundPause{20};
// After these rounds, the rest hangs in the kernel. Each round reads all of /proc.
constexpr int kQuickRounds = 100;
// Between its last moment as a fork of the supervisor and its first as user code, a process is briefly in no list.
constexpr int kQuietRounds = 2;

}  // namespace

// A supervisor that answers is working on it: what it cannot kill, this process cannot kill either, and its exit record
// is better than one made here.
void TaskRun::stop_is_overdue() {
  if (ended_ || ending_leftovers_) return;
  if (!link_ || !greeted_ || !has_contact_) return kill_supervisor();
  host_.contact_lost("task " + std::to_string(task_) +
                     " got a stop and its grace is over, but some of its processes cannot be killed yet");
}

// By identity, and only if it was started for this folder, or holds its lock.
void TaskRun::kill_supervisor() {
  const Visit visit{*this};
  if (folder() < 0) {  // the folder was removed
    host_.kill_what_is_seen();
    return look_later(kRoundPause);
  }
  if (auto claim = read_claim(folder()); claim && !claim_) claim_ = std::move(*claim);
  const auto lock = try_lock_task(folder());
  const bool held = lock && !*lock;
  if (const auto ours = host_.supervisor_of(task_)) {
    condemned_ = signal_exactly(*ours, SIGKILL);
  } else if (held && claim_ && claim_->supervisor.boot == boot_id()) {
    const auto& supervisor = claim_->supervisor;
    condemned_ = signal_exactly({.pid = supervisor.pid, .start_ticks = supervisor.start_ticks}, SIGKILL);
  }
  look_later(kRoundPause);
}

void TaskRun::end_leftovers() {
  ending_leftovers_ = true;
  const auto decision = decide(host_.folder(), release_because(StopCause::gang_failure));
  if (!decision) {
    ending_leftovers_ = false;
    return look_later(kIoPause);
  }
  if (decision->verdict == Decision::Verdict::go || has_begun() == Result<bool>(true)) return leftovers_round();
  failure_ = "the supervisor died before user code started";
  end_released(decision->cause);
}

void TaskRun::leftovers_round() {
  const Visit visit{*this};
  // If the claim is unreadable, only the environment identifies its processes.
  const auto claim = claim_.value_or(Claim{.token = host_.token(), .task = task_});
  const auto leader = read_started(folder(), claim);
  const auto found = leader ? kill_leftovers(claim, *leader, host_.state_id()) : std::unexpected(leader.error());
  quiet_rounds_ = found && *found == 0 ? quiet_rounds_ + 1 : 0;
  if (quiet_rounds_ < kQuietRounds) {
    const bool hangs = ++leftover_rounds_ > kQuickRounds;
    if (hangs) host_.contact_lost("its supervisor is dead, and some of its processes cannot be killed yet");
    host_.loop().after(found && !hangs ? kRoundPause : kIoPause, host_.guarded([this] { leftovers_round(); }));
    return;
  }
  TaskCgroup{claim.cgroups}.remove();
  if (take_exit() == Result<bool>(true)) return;
  if (*leader) report_running();
  end_now(EndedBy::lost, condemned_ ? "its supervisor did not answer and was killed; its remaining processes have ended"
                                    : "its supervisor was killed; its remaining processes have ended");
}

// No other process will write here, and nothing of the task lives: the files are complete.
void TaskRun::look_after_restart() {
  auto record = read_last_exit(folder(), host_.token(), task_);
  if (record) {
    // It was written and flushed, but the rename was lost.
    if (!exists(folder(), kExitFile)) ::renameat(folder(), kReserveFile, folder(), kExitFile);
    return take(std::move(*record));
  }
  const auto decision = read_decision(host_.folder());
  if (record.error().code == ErrorCode::io) return cannot_look(record.error());
  if (!decision) return cannot_look(decision.error());
  const bool released = *decision && (*decision)->verdict == Decision::Verdict::release;
  if (released && host_.is_of_earlier_boot()) return end_released((*decision)->cause);
  end_now(EndedBy::lost, claim_ ? "the machine was restarted while it ran"
                                : "the machine was restarted, and it is unknown whether the task had begun to run");
}

void TaskRun::end_released(StopCause cause) {
  auto message = released_at_barrier(cause).message;
  if (cause == StopCause::gang_failure && !failure_.empty()) message = "could not start: " + failure_;
  end_now(EndedBy::start_failed, std::move(message));
}

// An end that no supervisor has recorded. The record saves the next server another search, and makes the log count as
// complete.
void TaskRun::end_now(EndedBy by, std::string message) {
  TaskExit exit{.by = by, .message = std::move(message), .at = host_.clock().now()};
  auto progress = left_in_marker();
  // Without a claim nothing has begun; or the claim was lost, and then the record's own fields count.
  if (!claim_ && host_.is_of_earlier_boot()) claim_ = Claim{.token = host_.token(), .task = task_};
  if (claim_) static_cast<void>(write_exit(folder(), *claim_, {.exit = exit, .progress = progress}));
  for (auto& report : progress) hear_progress(std::move(report));
  end(std::move(exit));
}

std::vector<RawReport> TaskRun::left_in_marker() {
  const auto user = open_folder(folder(), kUserFolder);
  auto text = user ? read_marker(user->get()) : std::nullopt;
  if (!text) return {};
  return {{.number = heard_progress_ + 1, .at = host_.clock().now(), .text = std::move(*text)}};
}

void TaskRun::end(TaskExit exit) {
  ended_ = true;
  detach();
  host_.task_ended(task_, std::move(exit));
}

}  // namespace ym::local
