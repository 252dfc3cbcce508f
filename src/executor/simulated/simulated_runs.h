// SimulatedRuns: simulated attempts over time. It has no thread and reads no clock: the owner passes the time.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "executor/executor.h"
#include "executor/simulated/behaviour.h"

namespace ym {

class SimulatedRuns {
 public:
  using Seen = std::vector<Observation>;

  // As in Executor. Immediate observations are added to `seen`.
  void launch(const LaunchRequest& request, Instant now, Seen& seen);
  void stop(const Token& token, const StopRequest& request, Instant now, Seen& seen);
  void release(const Token& token);

  // Launched or stopped, and not yet released.
  bool knows(const Token& token) const { return runs_.contains(token); }
  // Time of the next event. Empty: none is pending.
  std::optional<Instant> next() const;
  // Adds all events up to now, in order.
  void pass(Instant now, Seen& seen);

 private:
  // An attempt, from its launch (or an earlier stop) until its release.
  struct Run {
    std::size_t tasks = 0;  // 0: it was stopped before the launch
    Behaviour behaviour;
    Duration done_before;  // work in the checkpoint from which it resumes
    Instant began;
    std::int64_t share = 1, whole = 1;  // part of its full size, and so of its full speed
    std::optional<Instant> stops_at;    // it was asked to, and will write a checkpoint
    std::uint64_t ending = 0;           // the valid one: a stop replaces it
    Instant ends_at;
    bool over = false;

    Duration done_at(Instant now) const;
    Duration takes() const;
  };
  // An end or a checkpoint.
  struct Due {
    Token token;
    std::uint64_t ending = 0;
    TaskExit exit{};
    std::optional<Duration> saves{};  // this amount of its work
  };

  void end_at(const Token& token, Run& run, Instant at, const TaskExit& exit);
  void save_later(const Token& token, const Run& run, Instant now);
  void saved(const Due& due, Run& run, Instant at, Seen& seen);
  void ended(const Due& due, Run& run, Instant at, Seen& seen);

  std::map<Token, Run> runs_;
  std::multimap<Instant, Due> due_;  // events of one instant: in the order of their creation
};

}  // namespace ym
