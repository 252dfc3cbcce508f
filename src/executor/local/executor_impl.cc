#include "executor/local/executor_impl.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/discover.h"
#include "executor/local/launch_plan.h"
#include "executor/local/log_reader.h"
#include "executor/local/retention.h"

namespace ym::local {
namespace {

constexpr Duration kIoPause = seconds(5);
constexpr const char* kStoppedBefore = "stopped before it was launched";

std::string limit_kind(bool v2, bool v1, const char* otherwise) {
  return v2 ? "cgroup v2" : v1 ? "cgroup v1" : otherwise;
}

// When the launch record does not tell: tasks' folders are made before it.
std::int32_t count_tasks(int folder) {
  std::int32_t tasks = 0;
  while (exists(folder, std::to_string(tasks).c_str())) ++tasks;
  return tasks;
}

}  // namespace

LocalExecutor::LocalExecutor(LocalOptions options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      cgroups_(detect_cgroups()),
      ports_(static_cast<std::uint64_t>(boot_now())),
      services_{loop_, options_, clock_, [this](Observation o) { report(std::move(o)); }},
      janitor_(options_.state_dir, options_.retention, clock) {}

LocalExecutor::~LocalExecutor() { loop_.stop(); }

Result<void> LocalExecutor::start(ObservationSink sink, std::span<const Token> live) {
  if (::access(options_.supervisor.c_str(), X_OK) != 0)
    return std::unexpected(os_error("the supervisor program " + options_.supervisor.string()));
  auto folder = open_folder(AT_FDCWD, (options_.state_dir / ".").string());  // which may be a link
  if (!folder) return std::unexpected(folder.error());
  state_folder_ = std::move(*folder);
  if (auto made = make_folder(state_folder_.get(), kAttemptsFolder); !made) return std::unexpected(made.error());
  sink_ = std::move(sink);
  for (const auto& token : live) {
    loop_.post([this, token] { find_or_say_unknown(token); });
  }
  loop_.start();
  janitor_.start();
  return {};
}

Result<std::vector<Node>> LocalExecutor::inventory() {
  if (options_.nodes.empty()) return std::vector<Node>{discover_node(options_.cluster)};
  auto nodes = options_.nodes;
  for (auto& node : nodes) node.cluster = options_.cluster;
  return nodes;
}

void LocalExecutor::launch(LaunchRequest request) {
  loop_.post([this, request = std::move(request)] { do_launch(request); });
}

void LocalExecutor::stop(const Token& token, StopRequest request) {
  close_gate_now(token, request.cause);
  loop_.post([this, token, request = std::move(request)] { do_stop(token, request); });
}

Result<LogChunk> LocalExecutor::read_log(const LogQuery& query) { return read_task_log(options_.state_dir, query); }

void LocalExecutor::release(const Token& token) {
  loop_.post([this, token] {
    runs_.erase(token);
    // Without the mark the attempt only stays longer.
    static_cast<void>(mark_released(options_.state_dir, token.key(), clock_.now()));
  });
}

std::map<std::string, std::string> LocalExecutor::enforcement() const {
  return {
      {"cpu limit", limit_kind(cgroups_.v2_cpu, !cgroups_.v1_cpu.empty(), "not enforced")},
      {"memory limit", limit_kind(cgroups_.v2_memory, !cgroups_.v1_memory.empty(), "rlimit (of each process's data)")},
      {"gpu", "CUDA_VISIBLE_DEVICES (a job can overwrite it)"},
      {"processes", cgroups_.tracks() ? "control group and process tree" : "process tree"},
      {"time limit", "supervisor"},
      {"user", "the server's own"}};
}

void LocalExecutor::do_launch(const LaunchRequest& request) {
  const auto& token = request.token;
  if (runs_.contains(token)) return;
  if (find(token) != Found::nothing) return;
  auto folder = make_folders(state_folder_.get(), attempt_path(token.key()));
  if (!folder) {
    refuse(token, folder.error().message);
    return;
  }
  const Fd kept{::fcntl(folder->get(), F_DUPFD_CLOEXEC, 0)};
  if (const auto launched = launch_fresh(request, std::move(*folder)); !launched) {
    // The record may be there although writing it failed: nobody shall act on it.
    static_cast<void>(decide(kept.get(), release_because(StopCause::start_timeout)));
    refuse(token, launched.error().message, launched.error().code == ErrorCode::invalid);
  }
}

Result<void> LocalExecutor::launch_fresh(const LaunchRequest& request, Fd folder) {
  std::uint16_t port = 0;
  if (needs_port(request.spec->launcher)) {
    const auto taken = ports_.take();
    if (!taken) return fail(ErrorCode::unavailable, "every port for rendezvous is in use");
    port = *taken;
  }
  auto launched = plan_launch(request, options_, cgroups_, port);
  if (!launched) {
    ports_.give_back(port);
    return std::unexpected(launched.error());
  }
  const int attempt_folder = folder.get();
  auto run = std::make_shared<AttemptRun>(services_, request.token, std::move(folder));
  auto ready = run->open(launched->tasks);
  if (ready) ready = write_durably(attempt_folder, kLaunchFile, encode(*launched));
  if (!ready) {
    ports_.give_back(port);
    return ready;
  }
  run->port = port;
  runs_[request.token] = run;
  run->begin(AttemptRun::Origin::fresh);
  return {};
}

// Before stop() returns, so that whoever was told of the stop sees no start after it. If
// it fails, the loop's thread tries again, and it is the loop's that makes it durable.
void LocalExecutor::close_gate_now(const Token& token, StopCause cause) const {
  const auto path = attempt_path(token.key());
  auto folder = open_folder(state_folder_.get(), path);
  // Not launched yet: then the launch finds the gate closed.
  if (!folder) folder = make_folders(state_folder_.get(), path);
  if (folder) close_gate(folder->get(), cause);
}

void LocalExecutor::do_stop(const Token& token, const StopRequest& request) {
  const auto found = find(token);
  if (found == Found::taken_up) return runs_.at(token)->stop(request);
  if (found == Found::nothing) return refuse_for_good(token, request);
  if (found == Found::unreadable) loop_.after(kIoPause, [this, token, request] { do_stop(token, request); });
}

void LocalExecutor::refuse_for_good(const Token& token, const StopRequest& request) {
  const auto folder = make_folders(state_folder_.get(), attempt_path(token.key()));
  const auto decision = folder ? decide(folder->get(), release_because(request.cause))
                               : Result<Decision>(std::unexpected(folder.error()));
  if (decision) {
    refuse(token, kStoppedBefore);
    return;
  }
  // Only with the gate closed on disk is it true that the attempt never starts.
  loop_.after(kIoPause, [this, token, request] { do_stop(token, request); });
}

LocalExecutor::Found LocalExecutor::find(const Token& token) {
  if (runs_.contains(token)) return Found::taken_up;
  auto folder = open_folder(state_folder_.get(), attempt_path(token.key()));
  if (!folder && folder.error().code == ErrorCode::not_found) return Found::nothing;
  if (!folder) return unreadable(token, folder.error());
  const auto launch = read_launch(folder->get());
  if (!launch) return find_without_launch(token, std::move(*folder), launch.error());
  if (launch->token != token)
    return refuse(token, "another launch of this attempt was found: " + to_string(launch->token));
  return take_up(token, std::move(*folder), launch->tasks, launch->port);
}

LocalExecutor::Found LocalExecutor::find_without_launch(const Token& token, Fd folder, const Error& error) {
  if (error.code == ErrorCode::corrupt) return find_damaged(token, std::move(folder), error);
  if (error.code != ErrorCode::not_found) return unreadable(token, error);
  const auto decision = read_decision(folder.get());
  if (!decision) return unreadable(token, decision.error());
  return *decision ? refuse(token, kStoppedBefore) : Found::nothing;
}

// What to run cannot be read. If nothing has started, nothing will; what has started
// is followed without it.
LocalExecutor::Found LocalExecutor::find_damaged(const Token& token, Fd folder, const Error& error) {
  const auto decision = decide(folder.get(), release_because(StopCause::start_timeout));
  if (!decision) return unreadable(token, decision.error());
  if (decision->verdict == Decision::Verdict::release) return refuse(token, error.message);
  const auto tasks = count_tasks(folder.get());
  return take_up(token, std::move(folder), tasks, 0);
}

LocalExecutor::Found LocalExecutor::take_up(const Token& token, Fd folder, std::int32_t tasks, std::int64_t port) {
  auto run = std::make_shared<AttemptRun>(services_, token, std::move(folder));
  if (const auto opened = run->open(tasks); !opened) return unreadable(token, opened.error());
  run->port = port;
  ports_.keep(port);
  runs_[token] = run;
  run->begin(AttemptRun::Origin::found);
  return Found::taken_up;
}

void LocalExecutor::find_or_say_unknown(const Token& token) {
  if (find(token) == Found::nothing) report({token, TokenIsUnknown{}});
}

// The folder is there but cannot be read: that says nothing about the attempt.
LocalExecutor::Found LocalExecutor::unreadable(const Token& token, const Error& error) {
  report({token, ContactIsLost{error.message}});
  loop_.after(kIoPause, [this, token] { find_or_say_unknown(token); });
  return Found::unreadable;
}

void LocalExecutor::report(Observation observation) {
  const auto token = observation.token;
  sink_(std::move(observation));
  const auto it = runs_.find(token);
  if (it != runs_.end() && it->second->ended()) ports_.give_back(std::exchange(it->second->port, 0));
}

LocalExecutor::Found LocalExecutor::refuse(const Token& token, std::string message, bool permanent) {
  report({token, LaunchRefused{std::move(message), permanent}});
  return Found::refused;
}

}  // namespace ym::local
