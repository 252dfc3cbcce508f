// For tests: a tracker, and scripted answers of Slurm.
#pragma once

#include "executor/slurm/jobs/tracker.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ym::slurm {

inline constexpr Token kToken{JobId{1}, 1, 7};
inline constexpr Instant kStart{1'000'000};

class TrackerTest : public ::testing::Test {
 protected:
  void launch() { tracker.expect({.token = kToken}, {Part{.nodes = {"n1"}}}, now); }
  // An attempt of an earlier server. `node`: that of its claim; empty: it was never let in.
  void recall(const std::string& node = {}) {
    LiveAttempt live{.request = {.token = kToken, .placement = {{.task = 0, .node = "n1"}}}, .tasks = {TaskStatus{}}};
    if (!node.empty()) live.tasks.front().claim = TaskClaim{.nonce = "a", .node = node};
    barrier = !node.empty();
    tracker.recall(live, {Part{.nodes = {"n1"}}}, now);
  }
  // Accepts a submission with this id.
  void submit(std::int64_t id) {
    const auto actions = tracker.take();
    ASSERT_EQ(actions.submit, std::vector<std::string>{name});
    ASSERT_TRUE(tracker.sending(name, now));
    tracker.sent(name, id, now);
  }
  JobRow row(std::int64_t id, std::string state, std::string exit = "0") const {
    JobRow made{.id = id,
                .name = name,
                .state = std::move(state),
                .comment = "yardmaster/default x",
                .exit = std::move(exit),
                .submitted = kStart,
                .started = kStart,
                .nodes = {"n1"}};
    if (phase_of(made.state) == Phase::pending) made.nodes.clear(), made.started.reset();
    return made;
  }
  Actions jobs(const std::vector<JobRow>& rows) {
    tracker.see_jobs(rows, now);
    return tracker.take();
  }
  Actions nodes(std::vector<std::string> states, std::optional<Instant> booted = std::nullopt) {
    tracker.see_nodes({{.name = "n1", .states = std::move(states), .booted = booted}}, now);
    return tracker.take();
  }
  void pass(Duration time) { now = now + time; }

  template <class Report>
  static const Report* report(const Actions& actions) {
    for (const auto& each : actions.reports)
      if (const auto* one = std::get_if<Report>(&each.report)) return one;
    return nullptr;
  }

  const std::string name = "ym-" + to_string(kToken) + "-default";
  Instant now = kStart;
  bool barrier = false;
  Tracker tracker{{.pending_timeout = minutes(10)}, [this](const Token&) { return barrier; }};
};

}  // namespace ym::slurm
