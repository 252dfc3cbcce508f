// LogReaders: a few threads that only read logs.
//
// A job, a disk or a network can make a log slow. So no thread that serves other requests reads one. A caller leaves a
// query here and is called back. Each cluster has its own threads, so a cluster with a hanging storage delays only its
// own logs.
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

// The log readers of one cluster. Thread-safe.
class LogReaders {
 public:
  using Read = std::function<Result<LogChunk>(const LogQuery&)>;

  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kMostWaiting = 4096;  // each follower has one query at a time

  LogReaders();
  // Waits without a limit for reads that have begun, because they use objects of other owners (see end()).
  ~LogReaders();

  // Calls `read` on a thread of this, and `reply` once, mostly on a thread of this: with the log, or with `unavailable`
  // if too many queries wait, or if the query's stop is requested before its turn.
  void read(Read read, LogQuery query, LogReply reply);

  // Starts no read from now on, and refuses waiting queries. False: a read that has begun does not end in time.
  bool end(std::chrono::milliseconds timeout);

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
