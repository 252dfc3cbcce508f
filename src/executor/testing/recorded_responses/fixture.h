// Common parts of tests of executors against recordings: a clock that can be put forward, observations, and the agent
// of a task, played by the test.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/remote/wire.h"

namespace ym::recorded {

// The real time plus what it was put forward by.
class ForwardClock final : public Clock {
 public:
  Instant now() const override;
  void forward(Duration d) { ahead_ms_ += d.ms; }

 private:
  std::atomic<std::int64_t> ahead_ms_ = 0;
};

bool eventually(const std::function<bool()>& holds);

class Observed {
 public:
  ObservationSink sink();
  std::vector<Observation> all() const;
  void clear();
  template <class What>
  std::vector<What> of(const Token& token) const {
    std::vector<What> list;
    for (const auto& each : all())
      if (const auto* what = std::get_if<What>(&each.what); what && each.token == token) list.push_back(*what);
    return list;
  }
  template <class What>
  std::size_t count(const Token& token) const {
    return of<What>(token).size();
  }
  template <class What>
  bool await(const Token& token, std::size_t count = 1) const {
    return eventually([&] { return this->count<What>(token) >= count; });
  }
  // The last report about the cluster; empty: none yet.
  std::optional<bool> available() const;
  // As last seen; empty: never.
  std::vector<Node> nodes() const;
  // As text, for test messages.
  std::string words() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Observation> all_;
};

inline constexpr Token kToken{JobId{1}, 1, 7};

// One task on node n1, as control would launch it.
LaunchRequest one_task(const Token& token, const std::string& gpu_type = "h100");

// The agent of task 0.
class PlayedAgent {
 public:
  PlayedAgent(TaskLink* link, const Token& token) : link_(link), token_(token) {}
  Result<remote::TaskOrders> waits() { return say(remote::TaskReport::State::waiting, {}); }
  Result<remote::TaskOrders> runs() { return say(remote::TaskReport::State::running, {}); }
  Result<remote::TaskOrders> ends(std::int32_t code);

 private:
  Result<remote::TaskOrders> say(remote::TaskReport::State state, std::optional<TaskExit> exit);
  TaskLink* link_;
  Token token_;
};

// Peak memory of this process in MiB, since reset_peak().
std::int64_t peak_mib();
void reset_peak();

}  // namespace ym::recorded
