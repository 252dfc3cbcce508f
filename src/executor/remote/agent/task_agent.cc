#include "executor/remote/agent/task_agent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/machine/checkpoint_probe.h"
#include "executor/remote/agent/exit_status.h"
#include "executor/remote/agent/node_facts.h"

namespace ym::remote {
namespace {

constexpr Duration kProbeTimeout = seconds(20);  // for a file system that hangs
constexpr Duration kLastOutput = seconds(5);     // for the reader of the output
constexpr Duration kLastWord = seconds(2);       // of the cluster's grace, for the report of the end

void report_problem(const std::string& text) { fmt::print(stderr, "ym-task: {}\n", text); }

Fd ending_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, signal);
  return Fd{::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
}

}  // namespace

TaskAgent::TaskAgent(TaskConfig config, WaitingSupervisor waiting, std::unique_ptr<net::HttpClient> client, int out)
    : config_(std::move(config)),
      waiting_(std::move(waiting)),
      client_(std::move(client)),
      out_(out),
      signals_(ending_signals()) {}

TaskAgent::~TaskAgent() = default;

int TaskAgent::run() {
  loop_.post([this] { begin(); });
  loop_.run();
  link_->stop();
  close_output();
  if (folder_) folder_->remove();
  return status_;
}

void TaskAgent::begin() {
  loop_.watch(signals_.get(), [this] { on_signal(); });
  claim_ = {.nonce = local::new_nonce(),
            .address = config_.address.empty() ? address_towards(config_.origin) : config_.address,
            .port = free_port(),
            .node = config_.node};
  LinkListener listener{
      .orders = [this](TaskOrders orders) { loop_.post([this, o = std::move(orders)] { on_orders(o); }); },
      .refused = [this](Refusal refusal) { loop_.post([this, refusal] { on_refusal(refusal); }); },
      .problem = [](const std::string& what) { report_problem(what + "; trying again"); }};
  LinkOptions options{
      .target = config_.target, .nonce = claim_.nonce, .token = config_.bearer, .token_file = config_.bearer_file};
  link_ = std::make_unique<ServerLink>(*client_, std::move(options), std::move(listener));
  report();
}

TaskReport TaskAgent::report_now() const {
  const auto state = exit_      ? TaskReport::State::ended
                     : running_ ? TaskReport::State::running
                                : TaskReport::State::waiting;
  return {.token = config_.token,
          .nonce = claim_.nonce,
          .state = state,
          .claim = claim_,
          .progress = progress_.after(exit_ ? 0 : heard_),  // all of it with the end: a new server hears no more
          .exit = exit_,
          .log_bytes = log_bytes_,
          .log_dropped = log_dropped_,
          .checkpoints_gone = gone_};
}

void TaskAgent::report() { exit_ ? link_->say_last(encode(report_now())) : link_->say(encode(report_now())); }

void TaskAgent::on_orders(const TaskOrders& orders) {
  if (phase_ == Phase::left) return;
  const bool knows_less = orders.progress_heard < heard_;  // a server that was restarted
  heard_ = orders.progress_heard;
  keep_job_token(orders.job_token);
  const bool before = phase_ == Phase::waiting || phase_ == Phase::preparing;
  if (before && orders.barrier == TaskOrders::Barrier::release) {
    released_ = true;
    return end(local::released_at_barrier(orders.cause));
  }
  if (phase_ == Phase::waiting && orders.barrier == TaskOrders::Barrier::go && orders.launch) prepare(*orders.launch);
  if (orders.stop) on_stop(*orders.stop);
  if (phase_ == Phase::ended && orders.end_stored) return leave(exit_status(*exit_));
  if (knows_less) report();
}

// The attempt is over: nothing of it may live on, and no server asks how it ended.
void TaskAgent::on_refusal(Refusal refusal) {
  if (phase_ == Phase::left) return;
  if (phase_ == Phase::ended) return leave(exit_status(*exit_));
  report_problem(refusal == Refusal::taken ? "another task agent has this task; user code does not run here"
                                           : "for the server the attempt is over; user code is killed");
  abandoned_ = true;
  if (phase_ != Phase::supervised) return leave(kNotRunExit);
  task_->stop({.cause = StopCause::cancel, .signal = "SIGKILL", .grace = {}});
}

void TaskAgent::keep_job_token(const std::string& token) {
  if (token.empty() || token == job_token_) return;
  job_token_ = token;
  if (folder_) static_cast<void>(local::replace_file(folder_->attempt.get(), local::kTokenFile, token));
}

// A repeated stop has less of the grace each time, which changes nothing.
void TaskAgent::on_stop(const StopRequest& request) {
  if (phase_ != Phase::supervised) return;
  const auto by = local::boot_now() + std::min(request.grace, hours(24 * 366)).ms;
  if (stop_by_ && *stop_by_ <= by + 1000) return;
  if (!stop_by_) stopped_by_server_ = true;
  stop_by_ = by;
  task_->stop(request);
}

// The cluster ends the task: scancel, deletion of the pod, its own time limit or preemption.
void TaskAgent::on_signal() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
  }
  if (std::exchange(stopped_by_cluster_, true) || phase_ == Phase::left) return;
  const Duration left{std::max<std::int64_t>(config_.grace.ms - kLastWord.ms, config_.grace.ms / 2)};
  if (phase_ == Phase::ended) return leave_within(kLastWord);
  if (phase_ != Phase::supervised) return not_started("ended by the cluster before user code started");
  const auto by = local::boot_now() + left.ms;
  if (stop_by_ && *stop_by_ <= by) return;
  stop_by_ = by;
  task_->stop({.cause = StopCause::preemption, .signal = launch_.stop_signal, .grace = left});
}

void TaskAgent::prepare(TaskLaunch launch) {
  phase_ = Phase::preparing;
  launch_ = std::move(launch);
  local::find_checkpoint(loop_,
                         {.candidates = launch_.checkpoints, .workdir = work_folder(launch_), .timeout = kProbeTimeout},
                         [this](local::Resume resume) {
                           gone_ = std::move(resume.gone);
                           if (phase_ == Phase::preparing) start(std::move(resume.from));
                         });
}

void TaskAgent::start(std::optional<Checkpoint> from) {
  auto folder = make_task_folder(config_);
  if (!folder) return not_started(folder.error().message);
  folder_ = std::move(*folder);
  if (!job_token_.empty()) {
    const auto kept = local::replace_file(folder_->attempt.get(), local::kTokenFile, job_token_);
    if (!kept) return not_started(kept.error().message);
  }
  const auto record = make_record(launch_, {.config = config_,
                                            .folder = *folder_,
                                            .has_token = !job_token_.empty(),
                                            .resumes_from = std::move(from),
                                            .limits_memory = launch_.memory_bytes > 0 && memory_is_limited()});
  if (record.argv.empty()) return not_started("its command line is empty on this node", true);
  if (config_.log.empty()) copier_ = std::make_unique<LogCopier>(folder_->log, out_);
  SupervisedTask::Listener listener{.running =
                                        [this] {
                                          running_ = true;
                                          report();
                                        },
                                    .said = [this](local::RawReport raw) { on_said(std::move(raw)); },
                                    .ended = [this](local::ExitRecord end) { on_end(std::move(end)); }};
  task_ = std::make_unique<SupervisedTask>(loop_, waiting_, *folder_, std::move(listener));
  phase_ = Phase::supervised;
  if (const auto started = task_->start(record); !started) not_started(started.error().message);
}

void TaskAgent::on_said(local::RawReport raw) {
  progress_.put({.number = raw.number, .at = raw.at, .text = std::move(raw.text)});
  report();
}

void TaskAgent::on_end(local::ExitRecord record) {
  for (auto& raw : record.progress) progress_.put({.number = raw.number, .at = raw.at, .text = std::move(raw.text)});
  log_bytes_ = record.log_bytes;
  log_dropped_ = record.log_dropped;
  if (copier_) copier_->finish(kLastOutput);  // a reader that sees the end takes the log as complete
  end(of_the_cluster(std::move(record.exit)));
  close_output();
}

// A container runtime shows an unfinished last line of the output only after the output is closed, and this process may
// linger.
void TaskAgent::close_output() {
  if (!copier_) return;
  copier_->finish(kLastOutput);
  copier_.reset();
  const Fd null{::open("/dev/null", O_WRONLY | O_CLOEXEC)};
  if (null) ::dup2(null.get(), out_);
}

// An end by the cluster is a failure of the infrastructure alone. A task that ended by itself before keeps its own end.
TaskExit TaskAgent::of_the_cluster(TaskExit exit) const {
  if (!stopped_by_cluster_ || stopped_by_server_) return exit;
  const bool by_signal = exit.by == EndedBy::signal || exit.exit_code == 128 + SIGTERM;
  if (exit.by != EndedBy::preempted && !by_signal) return exit;
  exit.by = EndedBy::lost;
  exit.message = "the cluster ended it";
  if (exit.forced) exit.message += "; it was killed when the cluster's grace was over";
  return exit;
}

void TaskAgent::not_started(std::string message, bool permanent) {
  report_problem(message);
  end({.by = EndedBy::start_failed, .message = std::move(message), .permanent = permanent});
}

void TaskAgent::end(TaskExit exit) {
  if (phase_ == Phase::ended || phase_ == Phase::left) return;
  phase_ = Phase::ended;
  if (released_) report_problem("user code does not run: " + exit.message);
  exit_ = std::move(exit);
  if (exit_->message.size() > kMaxMessage) exit_->message.resize(kMaxMessage);
  if (abandoned_) return leave(exit_status(*exit_));
  report();
  leave_within(stopped_by_cluster_ ? kLastWord : config_.linger);
}

// A server that has not received the end by then learns it from the cluster.
void TaskAgent::leave_within(Duration time) {
  loop_.after(time, [this] { leave(exit_status(*exit_)); });
}

void TaskAgent::leave(int status) {
  if (std::exchange(phase_, Phase::left) == Phase::left) return;
  status_ = status;
  loop_.stop();
}

}  // namespace ym::remote
