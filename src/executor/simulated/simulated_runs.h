// SimulatedRuns: what becomes of simulated attempts as time passes. It has no thread and reads no clock: whoever holds
// it says what time it is.
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

  // As Executor has them. What is seen of it at once is added to `seen`.
  void launch(const LaunchRequest& request, Instant now, Seen& seen);
  void stop(const Token& token, const StopRequest& request, Instant now, Seen& seen);
  void release(const Token& token);

  // Launched or stopped, and not yet released.
  bool knows(const Token& token) const { return runs_.contains(token); }
  // When something happens next; nothing: never, as things are.
  std::optional<Instant> next() const;
  // What has happened by now, in the order in which it did.
  void pass(Instant now, Seen& seen);

 private:
  // An attempt, from its launch or the stop before it until its release.
  struct Run {
    std::size_t tasks = 0;  // 0: it was stopped before it was launched
    Behaviour behaviour;
    Duration done_before;  // of its work, by the checkpoint from which it goes on
    Instant began;
    std::int64_t share = 1, whole = 1;  // of its full size, and with it of its full speed
    std::optional<Instant> stops_at;    // asked to, and it will write a checkpoint
    std::uint64_t ending = 0;           // the one that counts: a stop replaces it
    Instant ends_at;
    bool over = false;

    Duration done_at(Instant now) const;
    Duration takes() const;
  };
  // An ending, or a checkpoint.
  struct Due {
    Token token;
    std::uint64_t ending = 0;
    TaskExit exit{};
    std::optional<Duration> saves{};  // so much of its work
  };

  void end_at(const Token& token, Run& run, Instant at, const TaskExit& exit);
  void save_later(const Token& token, const Run& run, Instant now);
  void saved(const Due& due, Run& run, Instant at, Seen& seen);
  void ended(const Due& due, Run& run, Instant at, Seen& seen);

  std::map<Token, Run> runs_;
  std::multimap<Instant, Due> due_;  // of one instant: in the order in which they were made
};

}  // namespace ym
