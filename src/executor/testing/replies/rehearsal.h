// What tests of executors against recordings have in common: a clock that can be put forward, what was observed, and
// the wrapper of a task, as a test plays it.
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

namespace ym::replies {

// The wall's time, and what it was put forward by.
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
  // What was last said of the cluster; nothing: nothing yet.
  std::optional<bool> available() const;
  // As last seen; empty: never.
  std::vector<Node> nodes() const;
  // In words, for messages of tests.
  std::string words() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Observation> all_;
};

inline constexpr Token kToken{JobId{1}, 1, 7};

// One task on node n1, as control would have it launched.
LaunchRequest one_task(const Token& token, const std::string& gpu_type = "h100");

// The wrapper of task 0. Its reports are of whatever the link makes of them.
class Wrapper {
 public:
  Wrapper(TaskLink* link, const Token& token) : link_(link), token_(token) {}
  Result<remote::TaskOrders> waits() { return say(remote::TaskReport::State::waiting, {}); }
  Result<remote::TaskOrders> runs() { return say(remote::TaskReport::State::running, {}); }
  Result<remote::TaskOrders> ends(std::int32_t code);

 private:
  Result<remote::TaskOrders> say(remote::TaskReport::State state, std::optional<TaskExit> exit);
  TaskLink* link_;
  Token token_;
};

// Most memory that this process has had at once, in MiB, since reset_peak().
std::int64_t peak_mib();
void reset_peak();

}  // namespace ym::replies
