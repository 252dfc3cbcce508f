// LogSaver: reads the logs of pods that go, to be kept.
//
// On threads of its own, since a node that does not answer holds each reading up for seconds. Where some in a row have
// failed on a node its logs are not read for a minute.
//
// Threads: any.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "executor/kubernetes/api/api_client.h"
#include "executor/kubernetes/api/work_pool.h"
#include "executor/kubernetes/pods/kept_logs.h"
#include "executor/kubernetes/pods/names.h"

namespace ym::kubernetes {

class LogSaver {
 public:
  // All three must outlive it.
  LogSaver(KeptLogs& logs, ApiClient& client, const Clock& clock, int threads);

  struct Order {
    PodKey key;
    std::string pod;        // its target
    std::string node;       // empty: not known
    Instant until;          // not begun by then, it is given up
    bool is_first = false;  // before all that are not
  };
  // `done` is told whether the log is kept, by a thread of the saver's; or at once, if it is not to be read. Never of
  // what had not begun when the saver was stopped.
  void save(Order order, std::function<void(bool)> done);
  void stop();  // waits for what has begun

 private:
  struct Doubt {
    int failures = 0;  // in a row
    Instant again;     // it is asked
  };
  bool is_to_be_read(const Order& order);
  bool read(const Order& order);
  void learn(const std::string& node, bool failed);

  KeptLogs& logs_;
  ApiClient& client_;
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Doubt> doubts_;  // by node; under mutex_
  WorkPool pool_;
};

}  // namespace ym::kubernetes
