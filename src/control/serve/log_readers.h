// LogReaders: the threads that read logs, few and of their own.
//
// A log lies where a job, a disk or a network can make it slow. So nobody who serves others reads one: whoever wants a
// piece leaves a question here and is called back. Each cluster has its own threads, so one whose storage hangs delays
// its own logs and nobody else's.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "control/replies.h"
#include "executor/executor.h"

namespace ym {

// Of one cluster. Thread-safe.
class LogReaders {
 public:
  using Read = std::function<Result<LogChunk>(const LogQuery&)>;

  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kMostWaiting = 4096;  // each follower leaves one question at a time

  LogReaders();
  // Waits for reads that have begun: without a bound, as they use what others own (see end()).
  ~LogReaders();

  // `read` is called from a thread of this, `reply` once, mostly from a thread of this: with what was read; with
  // `unavailable` if too many wait, or if the query's stop is requested before its turn.
  void read(Read read, LogQuery query, LogReply reply);

  // Nothing is read from now on; what waits is refused. False if a read that has begun does not end in time.
  bool end(std::chrono::milliseconds patience);

 private:
  struct Question {
    Read read;
    LogQuery query;
    LogReply reply;
  };

  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Question> waiting_;
  std::size_t reading_ = 0;
  bool ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace ym
