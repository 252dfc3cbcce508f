// LogSaver: saves the logs of pods that go away.
//
// It has threads of its own, since a node that does not answer delays each read for seconds. After some failures in a
// row on a node, its logs are not read for a minute.
//
// Threads: any.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "executor/kubernetes/api/api_client.h"
#include "executor/kubernetes/pods/kept_logs.h"
#include "executor/kubernetes/pods/names.h"
#include "executor/remote/work_pool.h"

namespace ym::kubernetes {

class LogSaver {
 public:
  // The first three arguments must outlive it.
  LogSaver(KeptLogs& logs, ApiClient& client, const Clock& clock, int threads);

  struct Order {
    PodKey key;
    std::string pod;        // target of the pod
    std::string node;       // empty: unknown
    Instant until;          // given up if it has not begun by then
    bool is_first = false;  // before all orders without this
  };
  // Calls `done` with whether the log was saved, on a thread of the saver; or at once, if it is not to be read. Does
  // not call it for orders that had not begun at stop().
  void save(Order order, std::function<void(bool)> done);
  void stop();  // waits for orders that have begun

 private:
  struct NodeFailures {
    int failures = 0;  // in a row
    Instant again;     // the next try
  };
  bool is_to_be_read(const Order& order);
  bool read(const Order& order);
  void learn(const std::string& node, bool failed);

  KeptLogs& logs_;
  ApiClient& client_;
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, NodeFailures> node_failures_;  // by node; under mutex_
  remote::WorkPool pool_;
};

}  // namespace ym::kubernetes
