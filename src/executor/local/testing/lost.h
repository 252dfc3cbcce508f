// For tests: a state directory with a state that is older than its launches.
#pragma once

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "executor/local/testing/machine.h"

namespace ym::local {

class LostTest : public ::testing::Test {
 protected:
  static constexpr Token kNoToken{};
  static constexpr const char* kWaits = "echo ran >> ledger; while [ ! -e go ]; do sleep 0.02; done; exit 4";

  LostTest() {
    host_.options.retry_pause = Duration{100};
    host_.is_lost = [this](const Token& token) { return !known_.contains(token); };
  }

  // Uses devices 1 and 2 of each node.
  void launch(testing::Session& session, const std::string& line, int tasks = 1) {
    JobSpec spec{.name = "x", .run = {Program::Form::shell, {line}}, .workdir = host_.scratch(), .nodes = tasks};
    spec.stop.grace = seconds(30);
    auto request = session.request(token_, std::move(spec));
    for (auto& placed : request.placement) placed.devices = {"1", "2"};
    request.nodes.assign(host_.options.nodes.begin(), host_.options.nodes.begin() + tasks);
    session.launch(std::move(request));
  }
  // By a server that ends afterwards.
  void run(int tasks = 1, const std::string& line = kWaits) {
    testing::Session session{host_};
    launch(session, line, tasks);
    session.wait_running(token_, tasks);
    if (line.find("ledger") != std::string::npos)
      testing::wait_until("all in the ledger", [&] { return std::ssize(ledger()) == tasks; });
  }
  void end_with(const std::string& line) {
    testing::Session session{host_};
    launch(session, line);
    session.wait_end(token_);
  }
  void let_go() { std::ofstream(host_.scratch() / "go").close(); }

  std::vector<LostLaunch> lost() { return host_.make()->lost_launches().value(); }
  // Waits until its remaining processes have ended too.
  void wait_dead() {
    testing::wait_until("dead", [&] { return std::ranges::none_of(lost(), &LostLaunch::lives); });
  }

  // From now on it is a stored attempt.
  void adopt() {
    known_.insert(token_);
    auto& stored = host_.stored[token_];
    stored.request.token = token_;
    stored.adopted = true;
  }

  static std::vector<TaskPlacement> placement(int tasks = 1) {
    std::vector<TaskPlacement> placed;
    for (int task = 0; task < tasks; ++task) placed.push_back({task, "n" + std::to_string(task), {"1", "2"}});
    return placed;
  }
  static DevicesAreUnhealthy last_said(testing::Session& session) {
    const auto seen = session.seen(kNoToken);
    return seen.empty() ? DevicesAreUnhealthy{} : std::get<DevicesAreUnhealthy>(seen.back().what);
  }
  static std::string unhealthy(testing::Session& session) {
    std::string list;
    for (const auto& node : session.executor().inventory().value())
      for (const auto& device : node.devices)
        if (!device.healthy) list += node.name + ":" + device.id + " ";
    return list;
  }
  std::vector<std::string> ledger() const { return testing::lines_of(host_.scratch() / "ledger"); }
  bool is_released() const { return std::filesystem::exists(host_.folder(token_) / kReleasedFile); }

  // Searches for living processes cover the whole machine, where the same tests may run at the same time.
  const Token token_{JobId{static_cast<std::uint64_t>(::getpid())}, 1, 7};
  std::set<Token> known_;  // known to the state
  TestHost host_;
};

}  // namespace ym::local
