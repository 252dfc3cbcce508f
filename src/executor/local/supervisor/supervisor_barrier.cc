// Supervisor: from the folder to the decision at the launch barrier.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "base/whole_number.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/supervisor/supervisor.h"
#include "executor/local/supervisor/verdict.h"

namespace ym::local {
namespace {

constexpr std::int64_t kMaxPauseMs = 100;  // between looks at the claims of the gang

// Room for the exit record, with all reports that it may contain, on a disk that the job has filled. Released when
// needed.
constexpr off_t kReserveBytes = 128 << 10;
static_assert(kReserveBytes > 5 * static_cast<off_t>(kMaxReport) + (16 << 10));

void reserve_room(int task_folder) {
  const Fd fd{::openat(task_folder, kReserveFile, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)};
  if (fd) ::posix_fallocate(fd.get(), 0, kReserveBytes);
}

// The executor also takes the lock for a moment, to see whether a supervisor lives.
Result<std::optional<Fd>> lock_patiently(int task_folder) {
  constexpr timespec kTryPause{.tv_sec = 0, .tv_nsec = 10'000'000};
  for (int i = 0;; ++i) {
    auto lock = try_lock_task(task_folder);
    if (!lock || *lock || i == 50) return lock;
    ::nanosleep(&kTryPause, nullptr);
  }
}

std::optional<std::int32_t> task_number(const std::string& task_folder) {
  return whole_number<std::int32_t>(std::string_view(task_folder).substr(task_folder.rfind('/') + 1));
}

}  // namespace

Result<void> Supervisor::open_folders(const std::string& task_folder) {
  const auto number = task_number(task_folder);
  if (!number) return fail(ErrorCode::invalid, "not a task's folder: " + task_folder);
  auto task = open_folder(AT_FDCWD, task_folder);
  if (!task) return std::unexpected(task.error());
  task_folder_ = std::move(*task);
  auto attempt = open_folder(task_folder_.get(), "..");
  if (!attempt) return std::unexpected(attempt.error());
  attempt_folder_ = std::move(*attempt);
  auto launch = read_launch(attempt_folder_.get());
  if (!launch) return std::unexpected(launch.error());
  launch_ = std::move(*launch);
  if (is_of_earlier_boot(launch_)) return fail(ErrorCode::conflict, "launched before the machine was restarted");
  if (*number < 0 || *number >= launch_.tasks) return fail(ErrorCode::invalid, "no such task in the launch record");
  launch_ = launch_.of_task(*number);
  claim_.task = *number;
  return {};
}

Result<bool> Supervisor::claim_task() {
  auto lock = lock_patiently(task_folder_.get());
  if (!lock) return std::unexpected(lock.error());
  if (!*lock) return false;
  lock_ = std::move(**lock);
  const auto self = identity_of(::getpid());
  if (!self) return fail(ErrorCode::io, "/proc cannot be read");
  claim_.token = launch_.token;
  claim_.nonce = new_nonce();
  claim_.supervisor = *self;
  const auto name = "ym-" + to_string(claim_.token) + "-" + std::to_string(claim_.task) + "-" + claim_.nonce;
  claim_.cgroups = TaskCgroup::folders_of(launch_.cgroups, launch_.limits, name);
  // The launch of an older build has no mark of its epoch.
  const auto durability = launch_.boot.empty() ? Durability::for_good : Durability::until_reboot;
  auto claimed = take_claim(task_folder_.get(), claim_, durability);
  if (!claimed || !*claimed) return claimed;
  reserve_room(task_folder_.get());
  // From here on this supervisor owns the task: failures are recorded, not returned.
  log_.emplace(task_folder_.get(), launch_.log_path(), launch_.log_cap);
  static_cast<void>(socket_.listen(task_folder_.get()));  // without it a new server waits for the exit record
  return true;
}

std::optional<Decision> Supervisor::decide_at_barrier(ClaimWatch& claims, std::int64_t deadline) {
  obey();
  auto held = read_decision(attempt_folder_.get());
  if (held && *held) return *held;
  std::optional<Decision> wanted;
  if (stop_.cause()) wanted = release_because(first_stop_cause_);
  else if (claims.all_claimed(attempt_folder_.get())) wanted = kGo;
  else if (boot_now() >= deadline) wanted = release_because(StopCause::start_timeout);
  if (!wanted) return std::nullopt;
  // A decision that could not be written (no room for a name) is tried again.
  const auto made = decide(attempt_folder_.get(), *wanted);
  return made ? std::optional(*made) : std::nullopt;
}

Decision Supervisor::wait_at_barrier() {
  ClaimWatch claims{launch_.tasks};
  const auto deadline = boot_now() + launch_.start_timeout.ms;
  for (std::int64_t pause = 1;; pause = std::min(2 * pause, kMaxPauseMs)) {
    if (const auto decision = decide_at_barrier(claims, deadline)) return *decision;
    if (is_removed(attempt_folder_.get())) return Decision{};
    waiter_.wait(socket_, {}, boot_now() + pause);
  }
}

int Supervisor::run(const std::string& task_folder) {
  auto ready = open_folders(task_folder);
  auto claimed = ready ? claim_task() : Result<bool>(std::unexpected(ready.error()));
  if (!claimed) socket_.tell_parent("failed " + claimed.error().message);
  else if (!*claimed) socket_.tell_parent("taken");
  if (!claimed || !*claimed) return claimed ? 0 : 1;
  socket_.greet(greeting(claim_.token, claim_.task));
  socket_.set_state("waiting");
  const auto decision = wait_at_barrier();
  // A stop may have come just after the barrier was opened: still nothing has started.
  obey();
  const auto late = late_stop(attempt_folder_.get());
  if (decision.verdict == Decision::Verdict::release) finish(released_at_barrier(decision.cause));
  else if (stop_.cause() || late) finish(released_at_barrier(late.value_or(first_stop_cause_)));
  else if (auto started = start(); !started) finish(could_not_start(started.error()));
  else {
    supervise();
    finish(verdict());
  }
  return 0;
}

}  // namespace ym::local
