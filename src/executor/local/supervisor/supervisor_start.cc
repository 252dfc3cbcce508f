// Supervisor: from the open launch barrier to user code.
#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "executor/local/attempt/files.h"
#include "executor/local/supervisor/job_process.h"
#include "executor/local/supervisor/supervisor.h"
#include "executor/local/supervisor/verdict.h"

namespace ym::local {
namespace {

constexpr int kPipeBytes = 1 << 20;

Error start_timed_out(const LaunchRecord& launch) {
  return {.code = ErrorCode::io,
          .message = "user code could not be started within " + std::to_string(launch.start_timeout.ms / 1000) +
                     " s: entering " + launch.workdir + " or loading " + launch.argv.front() +
                     " did not end (does a file system hang?)",
          .retryable = true};
}

}  // namespace

Result<void> Supervisor::start() {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return std::unexpected(os_error("pipe"));
  output_ = Fd{pipe[0]};
  const Fd writing{pipe[1]};
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(output_.get(), F_SETPIPE_SZ, kPipeBytes);  // saves wake-ups; a refusal does no harm
  marker_.open(task_folder_.get());
  cgroup_ = TaskCgroup{claim_.cgroups};
  if (auto made = cgroup_.create(launch_.cgroups, launch_.limits); !made) {
    made.error().retryable = true;
    return made;
  }
  oom_kills_before_ = machine_oom_kills();
  auto starting = start_job({.launch = launch_,
                             .task = claim_.task,
                             .nonce = claim_.nonce,
                             .attempt_folder = attempt_folder_.get(),
                             .cgroup = cgroup_,
                             .output = writing.get(),
                             .umask = inherited_.umask,
                             .oom_score = inherited_.oom_score});
  if (!starting) return std::unexpected(starting.error());
  endings_.leader = starting->pid;
  starting_ = std::move(*starting);
  start_by_ = boot_now() + launch_.start_timeout.ms;
  return {};
}

// Otherwise the machine, or a group above, was short of memory, which passes.
bool Supervisor::limit_was_too_small() const {
  return launch_.limits.memory_bytes > 0 && cgroup_.oom_kills() > 0 && cgroup_.has_reached_memory_limit();
}

// The child works on the job's own file systems, which may hang. So nothing here waits for it.
void Supervisor::hear_of_start() {
  if (!starting_) return;
  auto heard = hear_start(*starting_, launch_, claim_.task);
  if (heard.state == StartReport::State::pending) return;
  starting_.reset();
  start_by_.reset();
  if (heard.state == StartReport::State::runs) return begin_running();
  const auto cause = late_stop(attempt_folder_.get()).value_or(first_stop_cause_);
  if (heard.state == StartReport::State::stopped) not_started_ = released_at_barrier(cause);
  else if (limit_was_too_small()) not_started_ = had_too_little_memory(launch_.limits.memory_bytes);
  else not_started_ = could_not_start(heard.error);
}

void Supervisor::begin_running() {
  if (launch_.time_limit) limit_at_ = boot_now() + launch_.time_limit->ms;
  // Without this record a later server still sees the claim and the decision.
  if (const auto leader = identity_of(endings_.leader))
    static_cast<void>(write_started(task_folder_.get(), claim_, *leader, wall_now()));
  socket_.set_state("running");
}

// User code must not start any more, unless it has just done so.
void Supervisor::abandon_start() {
  hear_of_start();
  if (!starting_) return;
  starting_.reset();
  start_by_.reset();
  over_ = true;
  not_started_ = stop_.cause() ? released_at_barrier(first_stop_cause_) : could_not_start(start_timed_out(launch_));
}

}  // namespace ym::local
