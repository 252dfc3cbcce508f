#include "executor/local/attempt_run.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "spec/progress_report.h"

namespace ym::local {
namespace {

static_assert(kMaxReport == kMaxProgressBytes);

constexpr Duration kBarrierPause = seconds(1);
constexpr Duration kLeavingPause{2};

}  // namespace

AttemptRun::AttemptRun(RunServices& services, Token token, Fd folder)
    : services_(services), token_(token), folder_(std::move(folder)) {}

Result<void> AttemptRun::open(const LaunchRecord& launch) {
  ports = launch.ports();
  gone_ = launch.gone;
  const auto path = services_.options.state_dir / attempt_path(token_.key());
  for (std::int32_t task = 0; task < launch.tasks; ++task) {
    const auto name = std::to_string(task);
    auto folder = make_folder(folder_.get(), name);
    if (!folder) return std::unexpected(folder.error());
    tasks_.push_back(std::make_unique<TaskRun>(*this, task, path / name));
    devices_.push_back(launch.devices_of(task));
  }
  left_ = tasks_.size();
  return {};
}

void AttemptRun::begin(Origin origin) {
  origin_ = origin;
  report(LaunchAccepted{});
  for (const auto& checkpoint : gone_) report(CheckpointIsGone{checkpoint});
  // No process decides at its launch barrier any more: the files show what happened.
  if (origin == Origin::earlier_boot) return find_ends();
  services_.loop.after(services_.options.start_timeout + kBarrierPause, guarded([this] { close_barrier_in_time(); }));
  for (const auto& devices : devices_) services_.devices.take(devices);
  if (origin == Origin::fresh) return spawn_missing();
  find_ends();
  services_.loop.after(services_.options.settle,
                       guarded([this] { barrier_stays_closed_ ? close_barrier_in_time() : spawn_missing(); }));
}

void AttemptRun::find_ends() {
  finding_ = true;
  each_task([](TaskRun& task) { task.look(); });
  finding_ = false;
  tell_ends();
}

void AttemptRun::spawn_missing() {
  each_task([](TaskRun& task) { task.allow_spawn(); });
}

// Supervisors apply the start timeout themselves. This is for tasks without a supervisor.
void AttemptRun::close_barrier_in_time() {
  if (ended()) return;
  const auto decision = decide(folder(), release_because(StopCause::start_timeout));
  if (!decision) return services_.loop.after(kBarrierPause, guarded([this] { close_barrier_in_time(); }));
  if (decision->verdict == Decision::Verdict::release) each_task([](TaskRun& task) { task.look(); });
}

void AttemptRun::stop(StopRequest request) {
  if (ended() || is_of_earlier_boot()) return;
  if (stop_) stop_->join(request, boot_now());
  else stop_.emplace(std::move(request), boot_now());
  repeat_stop();
  close_barrier();
}

std::optional<StopRequest> AttemptRun::pending_stop() const {
  if (!stop_) return std::nullopt;
  return stop_->as_of(boot_now());
}

void AttemptRun::deliver(const Secret& job_token) {
  // On a full disk the old token stays. It is valid until after the next renewal.
  if (!ended()) static_cast<void>(replace_file(folder(), kTokenFile, job_token.reveal()));
}

// A supervisor ends its task after the grace. A supervisor that hangs does not.
void AttemptRun::repeat_stop() {
  const auto at = stop_->deadline() + services_.options.stop_timeout.ms;
  if (repeat_stop_at_ != 0 && repeat_stop_at_ <= at) return;
  repeat_stop_later(at);
}

void AttemptRun::repeat_stop_later(std::int64_t at) {
  repeat_stop_at_ = at;
  services_.loop.after({at - boot_now()}, guarded([this, at] {
                         if (ended() || repeat_stop_at_ != at) return;
                         each_task([&](TaskRun& task) { task.say(stop_line(*pending_stop())); });
                         each_task([](TaskRun& task) { task.stop_is_overdue(); });
                         repeat_stop_later(boot_now() + std::max<std::int64_t>(services_.options.stop_timeout.ms, 1));
                       }));
}

// Before the start this is the whole stop. After it the decision stays, and the supervisors get the stop.
void AttemptRun::close_barrier() {
  if (ended()) return;
  const auto request = *pending_stop();
  const auto decision = decide(folder(), release_because(request.cause));
  if (!decision) services_.loop.after(kBarrierPause, guarded([this] { close_barrier(); }));
  each_task([&](TaskRun& task) { task.say(stop_line(request)); });
  if (decision && decision->verdict == Decision::Verdict::release) each_task([](TaskRun& task) { task.look(); });
}

EventLoop::Work AttemptRun::guarded(EventLoop::Work work) {
  return [weak = weak_from_this(), work = std::move(work)] {
    if (const auto self = weak.lock()) work();
  };
}

bool AttemptRun::may_live_past_barrier() {
  std::set<std::int32_t> waiting;
  for (std::size_t task = 0; task < tasks_.size(); ++task)
    if (tasks_[task]->waits_at_barrier()) waiting.insert(static_cast<std::int32_t>(task));
  return services_.others_may_live(token_, waiting);
}

void AttemptRun::task_waits() {
  if (preparing_reported_) return;
  preparing_reported_ = true;
  report(LaunchPreparing{});
}

void AttemptRun::task_runs(std::int32_t task, std::optional<Instant> since) { report(TaskIsRunning{task, since}); }

// A checkpoint without a time gets the time at which its report arrived. A server that gets the report again later must
// not change that time.
void AttemptRun::task_says(std::int32_t task, const RawReport& raw) {
  auto parsed = parse_progress_report(raw.text, std::min(raw.at, clock().now()));
  if (parsed) return report(ProgressIsReported{std::move(*parsed)});
  if (std::exchange(warned_of_report_, true)) return;
  spdlog::warn("job {}, attempt {}: a progress report of task {} cannot be read and is ignored: {}",
               to_string(token_.job), token_.attempt, task, parsed.error().message);
}

void AttemptRun::task_ended(std::int32_t task, TaskExit exit) {
  --left_;
  if (ended() && !turn_file(folder(), kTokenFile, kSpareFile, {}, Flush::no)) ::unlinkat(folder(), kTokenFile, 0);
  const bool barrier_closed = exit.by == EndedBy::start_failed && left_ > 0;
  ++settling_;
  const auto at = static_cast<std::size_t>(task);
  const auto settle = guarded([this, task, exit = std::move(exit)] { settled(task, exit); });
  if (is_of_earlier_boot()) settle();
  else services_.devices.settle(devices_[at], settle);
  // A task without a supervisor does not notice by itself that the barrier is closed.
  if (barrier_closed) services_.loop.after({}, guarded([this] { each_task([](TaskRun& other) { other.look(); }); }));
}

void AttemptRun::settled(std::int32_t task, TaskExit exit) {
  --settling_;
  ends_.push_back({task, std::move(exit)});
  tell_ends();
}

// Reports ends in the order in which they happened. In a stopped gang one task may die only because another has ended,
// and that task's supervisor may have more to clean up. Without a stop no end waits for another.
void AttemptRun::tell_ends() {
  if (finding_ || ends_.empty() || (stop_ && (left_ > 0 || settling_ > 0))) return;
  const bool one_leaves = std::ranges::any_of(tasks_, [](const auto& task) { return task->is_leaving(); });
  if (one_leaves) return services_.loop.after(kLeavingPause, guarded([this] { tell_ends(); }));
  std::ranges::sort(ends_, {}, [](const TaskHasEnded& end) { return std::pair(end.exit.at, end.task); });
  for (auto& end : std::exchange(ends_, {})) report(std::move(end));
}

// Reported again after each failed look, because control takes progress of another task's launch as contact.
void AttemptRun::contact_lost(const std::string& message) {
  contact_lost_ = true;
  report(ContactIsLost{message});
}

void AttemptRun::contact_back() {
  const bool all = std::ranges::all_of(tasks_, [](const auto& t) { return t->ended() || t->has_contact(); });
  if (!contact_lost_ || !all) return;
  contact_lost_ = false;
  report(ContactIsBack{});
}

// Only while no end has been reported: other tasks of the gang may have failed for their own reasons before.
void AttemptRun::cannot_start(const std::string& message) {
  if (refused_ || left_ < tasks_.size()) return;
  report(LaunchRefused{.message = message, .of_executor = true});
  refused_ = true;
}

void AttemptRun::report(decltype(Observation::what) what) {
  if (!refused_) services_.report({token_, std::move(what)});
}

// Acting on one task may end others; none is removed during the loop.
void AttemptRun::each_task(const std::function<void(TaskRun&)>& act) {
  for (const auto& task : tasks_)
    if (!task->ended()) act(*task);
}

}  // namespace ym::local
