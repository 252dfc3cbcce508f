#include "executor/conformance/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace ym::testing {
namespace {

// Long enough for a machine with ten other things to do; no test passes by reaching this time.
constexpr auto kTimeout = std::chrono::seconds(180);

struct Describer {
  std::string operator()(const LaunchAccepted&) const { return "accepted"; }
  std::string operator()(const LaunchRefused& r) const { return fmt::format("refused ({})", r.message); }
  std::string operator()(const LaunchPreparing&) const { return "preparing"; }
  std::string operator()(const TaskIsRunning& r) const { return fmt::format("running {}", r.task); }
  std::string operator()(const TaskHasEnded& e) const {
    return fmt::format("ended {} {} code {} signal {} ({})", e.task, to_string(e.exit.by),
                       e.exit.exit_code.value_or(-1), e.exit.signal.value_or(-1), e.exit.message);
  }
  std::string operator()(const ProgressIsReported& p) const {
    return fmt::format("progress step {}{}{}", p.report.step.value_or(-1),
                       p.report.checkpoint ? " checkpoint " + p.report.checkpoint->uri : "",
                       p.report.completed ? " completed" : "");
  }
  std::string operator()(const CheckpointIsGone& g) const { return fmt::format("gone {}", g.checkpoint.uri); }
  std::string operator()(const StartIsDelayed& d) const { return fmt::format("delayed ({})", d.message); }
  std::string operator()(const ContactIsLost& l) const { return fmt::format("contact lost ({})", l.message); }
  std::string operator()(const ContactIsBack&) const { return "contact back"; }
  std::string operator()(const TokenIsUnknown&) const { return "unknown"; }
  std::string operator()(const GangIsWaiting& g) const { return fmt::format("{} tasks wait", g.claims.size()); }
  std::string operator()(const NodesAreSeen& n) const { return fmt::format("{} nodes", n.nodes.size()); }
  std::string operator()(const ClusterIsSeen& c) const { return c.available ? "there" : "away: " + c.message; }
  std::string operator()(const DevicesAreUnhealthy& u) const { return fmt::format("{}: {}", u.node, u.message); }
};

}  // namespace

Session::Session(ExecutorHost& host, std::vector<Token> live) : host_(host), executor_(host.make()) {
  std::vector<LiveAttempt> attempts;
  for (const auto& token : live) attempts.push_back(stored(token));
  start(attempts);
}

Session::Session(ExecutorHost& host, const SetBack& state) : host_(host), executor_(host.make()) {
  look_for(state.lost);
  std::vector<LiveAttempt> attempts;
  for (const auto& token : state.adopted) {
    auto& kept = host_.stored.at(token);
    kept.adopted = true;
    for (auto& task : kept.tasks) task.claim.reset();
    attempts.push_back(kept);
  }
  start(attempts);
}

void Session::look_for(const std::vector<Token>& lost) {
  executor_->know_lost([lost](const Token& token) { return std::ranges::find(lost, token) != lost.end(); });
  auto found = executor_->lost_launches();
  if (!found) throw std::runtime_error("lost launches cannot be listed: " + found.error().message);
  lost_ = std::move(*found);
}

void Session::start(const std::vector<LiveAttempt>& live) {
  barrier_opener_ = std::thread([this] { open_barriers(); });
  const auto started = executor_->start([this](Observation seen) { take(std::move(seen)); }, live);
  if (started) return;
  close();
  throw std::runtime_error("the executor does not start: " + started.error().message);
}

Session::~Session() { close(); }

void Session::close() {
  {
    const std::lock_guard lock{mutex_};
    over_ = true;
    changed_.notify_all();
  }
  barrier_opener_.join();
  executor_.reset();
}

void Session::take(Observation observation) {
  const std::lock_guard lock{mutex_};
  if (const auto* gang = std::get_if<GangIsWaiting>(&observation.what))
    waiting_.emplace_back(observation.token, gang->claims);
  seen_[observation.token].push_back(std::move(observation));
  changed_.notify_all();
}

void Session::open_barriers() {
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait(lock, [this] { return over_ || (lets_in_ && !waiting_.empty()); });
    if (over_) return;
    auto [token, claims] = std::move(waiting_.back());
    waiting_.pop_back();
    auto& tasks = host_.stored[token].tasks;
    for (std::size_t task = 0; task < tasks.size(); ++task)
      if (!tasks[task].claim) tasks[task].claim = claims[task];
      else claims[task] = *tasks[task].claim;
    lock.unlock();
    executor_->open_barrier(token, claims);
    lock.lock();
  }
}

void Session::let_in(bool yes) {
  const std::lock_guard lock{mutex_};
  lets_in_ = yes;
  changed_.notify_all();
}

LiveAttempt Session::stored(const Token& token) {
  if (!host_.stored.contains(token)) {
    JobSpec spec{.name = "test", .run = host_.shell("true"), .workdir = host_.scratch(), .nodes = 1};
    remember(request(token, std::move(spec)));
  }
  return host_.stored.at(token);
}

void Session::remember(const LaunchRequest& request) {
  const std::lock_guard lock{mutex_};
  auto& kept = host_.stored[request.token];
  kept.request = request;
  kept.tasks.resize(request.placement.size());
}

void Session::launch(const Token& token, const std::string& line, int tasks) {
  JobSpec spec{.name = "test", .run = host_.shell(line), .workdir = host_.scratch(), .nodes = tasks};
  spec.stop.grace = seconds(30);
  launch(token, std::move(spec));
}

void Session::launch(const Token& token, JobSpec spec) { launch(request(token, std::move(spec))); }

void Session::launch(LaunchRequest request) {
  remember(request);
  executor_->launch(std::move(request));
}

LaunchRequest Session::request(const Token& token, JobSpec spec) {
  LaunchRequest request{.token = token, .job_name = spec.name, .owner = "tester"};
  for (std::int32_t task = 0; task < spec.nodes; ++task) {
    request.nodes.push_back(host_.node(task));
    request.placement.push_back({.task = task, .node = request.nodes.back().name});
  }
  request.spec = std::make_shared<const JobSpec>(std::move(spec));
  request.contact = host_.contact(token);
  return request;
}

void Session::wait(const Token& token, const std::string& what, const std::function<bool(const Seen&)>& holds) {
  std::unique_lock lock{mutex_};
  if (changed_.wait_for(lock, kTimeout, [&] { return holds(seen_[token]); })) return;
  throw std::runtime_error(fmt::format("never {}: {}", what, describe(seen_[token])));
}

void Session::wait_running(const Token& token, int tasks) {
  wait(token, fmt::format("{} tasks running", tasks),
       [&](const Seen& seen) { return count<TaskIsRunning>(seen) >= static_cast<std::size_t>(tasks); });
}

std::vector<TaskExit> Session::wait_ended(const Token& token, int tasks) {
  std::map<std::int32_t, TaskExit> exits;
  wait(token, fmt::format("{} tasks ended", tasks), [&](const Seen& seen) {
    exits.clear();
    for (const auto& observation : seen)
      if (const auto* ended = std::get_if<TaskHasEnded>(&observation.what)) exits[ended->task] = ended->exit;
    return exits.size() == static_cast<std::size_t>(tasks);
  });
  std::vector<TaskExit> by_task;
  for (auto& [task, exit] : exits) by_task.push_back(std::move(exit));
  return by_task;
}

LaunchRefused Session::wait_refused(const Token& token) {
  LaunchRefused refused;
  wait(token, "refused", [&](const Seen& seen) {
    for (const auto& observation : seen)
      if (const auto* found = std::get_if<LaunchRefused>(&observation.what)) refused = *found;
    return count<LaunchRefused>(seen) > 0;
  });
  return refused;
}

ProgressReport Session::wait_progress(const Token& token, const std::function<bool(const ProgressReport&)>& is_it) {
  ProgressReport found;
  wait(token, "said", [&](const Seen& seen) {
    return std::ranges::any_of(seen, [&](const Observation& observation) {
      const auto* said = std::get_if<ProgressIsReported>(&observation.what);
      if (said && is_it(said->report)) found = said->report;
      return said && is_it(said->report);
    });
  });
  return found;
}

void Session::wait_unknown(const Token& token) {
  wait(token, "unknown", [](const Seen& seen) { return count<TokenIsUnknown>(seen) > 0; });
}

Session::Seen Session::seen(const Token& token) {
  const std::lock_guard lock{mutex_};
  return seen_[token];
}

std::string Session::log(const Token& token, std::int32_t task) {
  const auto chunk = executor_->read_log({.attempt = token.key(), .task = task, .max_bytes = std::size_t{64} << 20});
  if (!chunk) throw std::runtime_error("no log: " + chunk.error().message);
  return chunk->data;
}

std::string describe(const Session::Seen& seen) {
  std::string text;
  for (const auto& observation : seen) text += std::visit(Describer{}, observation.what) + "; ";
  return text.empty() ? "nothing was reported" : text;
}

void wait_until(const std::string& what, const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + kTimeout;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("never " + what);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool is_gone(int pid) {
  const auto stat = lines_of("/proc/" + std::to_string(pid) + "/stat");
  return stat.empty() || stat.front().find(") Z ") != std::string::npos;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace ym::testing
