// For tests: a state directory with virtual nodes. Stops everything that a test leaves running.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "executor/conformance/session.h"
#include "executor/conformance/suite.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/local_executor.h"
#include "executor/local/testing/foreign.h"

namespace ym::local {

class WallClock final : public Clock {
 public:
  Instant now() const override {
    return {std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
                .count()};
  }
};

inline bool has_python() { return std::system("python3 -c '' 2>/dev/null") == 0; }

inline std::set<std::string> ids_of(const DevicesAreUnhealthy& seen) {
  std::set<std::string> ids;
  for (const auto& [id, why] : seen.devices) ids.insert(id);
  return ids;
}

class TestHost final : public testing::ExecutorHost {
 public:
  // `parent`: where its folder is created. It is removed at the end.
  explicit TestHost(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    auto pattern = (parent / "ym-local-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    std::filesystem::create_directory(scratch());
    std::filesystem::create_directory(state());
    options.state_dir = state();
    options.supervisor = std::filesystem::path(YM_BINARY_DIR) / "bin" / "ym-supervisor";
    options.settle = Duration{100};
    for (int n = 0; n < 4; ++n) options.nodes.push_back(node(n));
  }

  ~TestHost() override {
    stop_everything();
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;

  std::unique_ptr<Executor> make() override {
    auto executor = make_local_executor(options, clock_);
    if (is_lost) executor->know_lost(is_lost);
    return executor;
  }

  Node node(int number) override {
    Node node{.name = "n" + std::to_string(number), .cluster = "local", .gpu_type = "t4", .cpus = 16 * kMilli};
    for (int gpu = 0; gpu < 4; ++gpu) node.devices.push_back({.id = std::to_string(gpu)});
    return node;
  }

  std::filesystem::path scratch() const override { return root_ / "scratch"; }
  std::filesystem::path state() const { return root_ / "state"; }
  std::filesystem::path folder(const Token& token) const { return state() / attempt_path(token.key()); }
  std::filesystem::path folder(const Token& token, int task) const { return folder(token) / std::to_string(task); }

  std::filesystem::path log_file(const Token& token) const override { return folder(token, 0) / kLogFile; }

  Result<Claim> claim(const Token& token, int task = 0) const {
    const auto opened = open_folder(AT_FDCWD, folder(token, task));
    if (!opened) return std::unexpected(opened.error());
    return read_claim(opened->get());
  }

  bool kill_watcher(const Token& token, std::int32_t task) override {
    const auto found = claim(token, task);
    if (!found || !alive(found->supervisor)) throw std::runtime_error("no supervisor to kill");
    ::kill(found->supervisor.pid, SIGKILL);
    testing::wait_until("the supervisor dead", [&] { return !alive(found->supervisor); });
    return true;
  }

  // Stops the supervisor, which stands between executor and task, with SIGSTOP.
  bool cut_contact(const Token& token, bool cut) override {
    const auto found = claim(token, 0);
    if (!found) throw std::runtime_error("no supervisor to stop");
    ::kill(found->supervisor.pid, cut ? SIGSTOP : SIGCONT);
    return true;
  }

  std::function<bool()> make_foreign(const Token& token) override {
    foreign_ = std::make_unique<ForeignProcess>(token);
    return [this] { return !testing::is_gone(foreign_->pid()); };
  }

  LocalOptions options;
  IsLost is_lost;  // for executors that are made from now on

 private:
  std::vector<Token> tokens() const {
    std::vector<Token> found;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator it{state(), error}, end; !error && it != end;
         it.increment(error)) {
      if (it->path().filename() != kLaunchFile) continue;
      const auto opened = open_folder(AT_FDCWD, it->path().parent_path());
      const auto launch = opened ? read_launch(opened->get()) : Result<LaunchRecord>(std::unexpected(opened.error()));
      if (launch) found.push_back(launch->token);
    }
    return found;
  }

  void stop_everything() {
    std::size_t supervisors = 0;
    const auto count = [&] {
      supervisors = 0;
      for (const auto& token : tokens())
        for (int task = 0; std::filesystem::exists(folder(token, task)); ++task)
          if (const auto found = claim(token, task); found && alive(found->supervisor)) ++supervisors;
      return supervisors == 0;
    };
    if (count()) return;
    const auto live = tokens();
    testing::Session session{*this, live};
    for (const auto& token : live) session.executor().stop(token, {.cause = StopCause::cancel, .grace = {}});
    testing::wait_until("stopped what the test left", count);
  }

  std::filesystem::path root_;
  WallClock clock_;
  std::unique_ptr<ForeignProcess> foreign_;
};

// The attempt of most tests.
inline constexpr Token kToken{JobId{1}, 1, 7};

// A job that runs this program in the scratch folder.
inline JobSpec argv_job(const TestHost& host, std::vector<std::string> words) {
  return {.name = "x", .run = {Program::Form::argv, std::move(words)}, .workdir = host.scratch()};
}

}  // namespace ym::local
