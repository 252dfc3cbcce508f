// A server with a real TaskRegistry, and agents as real processes, each with a real supervisor.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "executor/remote/agent/task_config.h"
#include "executor/remote/testing/registry.h"
#include "executor/remote/testing/task_server.h"

namespace ym::remote {

class WallClock final : public Clock {
 public:
  Instant now() const override {
    return {std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
                .count()};
  }
};

// Waits for a long time.
inline bool eventually(const std::function<bool()>& holds) {
  for (int n = 0; n < 9'000; ++n) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// One ym-task; its output goes to a file.
class AgentProcess {
 public:
  // `script`: the agent is its interpreter; empty: none.
  AgentProcess(const Environment& env, std::filesystem::path output, std::string script = {})
      : output_(std::move(output)) {
    std::vector<std::string> pairs;
    for (const auto& [name, value] : env) pairs.push_back(fmt::format("{}={}", name, value));
    std::vector<char*> list;
    for (auto& pair : pairs) list.push_back(pair.data());
    list.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 1, output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_addopen(&actions, 2, (output_.string() + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0600);
    std::string program = YM_BINARY_DIR "/bin/ym-task";
    char* const argv[] = {program.data(), script.empty() ? nullptr : script.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv, list.data()), 0) << program;
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~AgentProcess() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  AgentProcess(const AgentProcess&) = delete;
  AgentProcess& operator=(const AgentProcess&) = delete;

  pid_t pid() const { return pid_; }
  // Its exit status. Empty: it does not end.
  std::optional<int> wait() {
    int status = 0;
    if (!eventually([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; })) return std::nullopt;
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  std::string output() const { return content(output_); }
  std::string errors() const { return content(output_.string() + ".err"); }

 private:
  std::filesystem::path output_;
  pid_t pid_ = 0;
};

class SiteTest : public ::testing::Test {
 public:
  ~SiteTest() override {
    over_ = true;
    control_.join();
    http_.serve(nullptr);
    std::error_code ignored;
    std::filesystem::remove_all(scratch_, ignored);
  }

 protected:
  SiteTest() {
    std::string name = (std::filesystem::temp_directory_path() / "ym-wrapper-XXXXXX").string();
    scratch_ = ::mkdtemp(name.data());
    open({});
    control_ = std::thread([this] { control(); });
  }

  void open(const std::vector<LiveAttempt>& live) {
    auto registry = std::make_shared<TaskRegistry>(clock_, options_);
    registry->start([this](Observation o) { take(std::move(o)); }, live);
    http_.serve(registry.get());
    const std::lock_guard lock{mutex_};
    registry_ = std::move(registry);
  }
  std::shared_ptr<TaskRegistry> registry() const {
    const std::lock_guard lock{mutex_};
    return registry_;
  }

  // A job with `tasks` tasks, each with a shell line.
  LaunchRequest request(const std::string& line, int tasks = 1) const {
    auto request = gang_of(tasks);
    auto spec = *request.spec;
    spec.run = {Program::Form::shell, {line}};
    spec.workdir = scratch_;
    request.spec = std::make_shared<JobSpec>(std::move(spec));
    return request;
  }
  void launch(const LaunchRequest& request) {
    {
      const std::lock_guard lock{mutex_};
      live_ = {.request = request, .tasks = std::vector<TaskStatus>(request.placement.size())};
    }
    registry()->launch(request);
  }
  Environment environment(int task) const {
    return {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
            {"NODE_HAS", "this"},
            {"TMPDIR", scratch_.string()},
            {"YM_LAUNCH_TOKEN", to_string(kToken)},
            {"YM_TASK_URL", http_.url() + "/api/v1/jobs/" + to_string(kToken.job) + "/attempts/1/tasks/"},
            {"YM_TASK_TOKEN", "bearer-of-task"},
            {"YM_TASK_RANK", std::to_string(task)},
            {"YM_TASK_NODE", "node" + std::to_string(task)},
            {"YM_TASK_ADDRESS", "127.0.0." + std::to_string(task + 1)},
            {"YM_TASK_GRACE", "20s"}};
  }
  std::unique_ptr<AgentProcess> agent(int task = 0, const Environment& more = {}) {
    auto env = more;
    env.merge(environment(task));
    return std::make_unique<AgentProcess>(env, scratch_ / ("out" + std::to_string(++agents_)));
  }
  // The content of a file in the scratch folder, once there is any.
  std::string said(const std::string& file) const {
    EXPECT_TRUE(eventually([&] { return content(scratch_ / file).ends_with('\n'); })) << file;
    return content(scratch_ / file);
  }

  template <class What>
  std::vector<What> seen() const {
    const std::lock_guard lock{mutex_};
    std::vector<What> found;
    for (const auto& o : seen_)
      if (const auto* what = std::get_if<What>(&o.what)) found.push_back(*what);
    return found;
  }
  bool wait_running(std::size_t tasks = 1) const {
    return eventually([&] { return seen<TaskIsRunning>().size() >= tasks; });
  }
  TaskExit end_of(std::int32_t task = 0) const {
    TaskExit exit;
    EXPECT_TRUE(eventually([&] {
      for (const auto& end : seen<TaskHasEnded>())
        if (end.task == task) return exit = end.exit, true;
      return false;
    }));
    return exit;
  }
  // What a server would have stored.
  LiveAttempt stored() const {
    const std::lock_guard lock{mutex_};
    return live_;
  }

  const WallClock clock_{};
  RegistryOptions options_{};
  std::filesystem::path scratch_;
  testing::TaskServer http_;
  std::atomic<bool> releases_ = true, lets_in_ = true;

 private:
  void take(Observation observation) {
    const std::lock_guard lock{mutex_};
    seen_.push_back(std::move(observation));
  }
  // As control: stores the claims, opens the barrier, and releases ended attempts.
  void control() {
    for (std::size_t next = 0; !over_;) {
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
      registry()->due();
      std::vector<Observation> news;
      {
        const std::lock_guard lock{mutex_};
        news.assign(seen_.begin() + static_cast<std::ptrdiff_t>(next), seen_.end());
        next = seen_.size();
      }
      for (const auto& one : news) act_on(one);
    }
  }
  void act_on(const Observation& observation) {
    if (const auto* gang = std::get_if<GangIsWaiting>(&observation.what); gang && lets_in_) {
      {
        const std::lock_guard lock{mutex_};
        for (std::size_t n = 0; n < gang->claims.size(); ++n) live_.tasks[n].claim = gang->claims[n];
      }
      registry()->open_barrier(observation.token, gang->claims);
    }
    if (std::holds_alternative<TaskHasEnded>(observation.what) && ++ended_ == live_.tasks.size() && releases_)
      registry()->release(observation.token);
  }

  mutable std::mutex mutex_;
  std::vector<Observation> seen_;  // under mutex_, as the two below
  std::shared_ptr<TaskRegistry> registry_;
  LiveAttempt live_;
  std::size_t ended_ = 0;
  int agents_ = 0;
  std::atomic<bool> over_ = false;
  std::thread control_;
};

}  // namespace ym::remote
