// Janitor: the thread that applies retention from time to time. First it looks for attempts that ended long ago but
// were never marked.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "executor/local/cleanup/retention.h"
#include "executor/local/local_executor.h"

namespace ym::local {

class Janitor {
 public:
  // The clock must outlive it.
  Janitor(std::filesystem::path state_dir, RetentionRules rules, const Clock& clock);
  ~Janitor();
  Janitor(const Janitor&) = delete;
  Janitor& operator=(const Janitor&) = delete;

  // `unmarked` gets the attempts without a mark that are not in `live`, on the janitor's thread: a server may die
  // between storing an end and marking it.
  using Unmarked = std::function<void(AttemptKey)>;
  void start(std::set<AttemptKey> live, Unmarked unmarked);

 private:
  void run();
  void look_for_unmarked();
  bool stopping();

  const std::filesystem::path state_dir_;
  const RetentionRules rules_;
  const Clock& clock_;
  Sweeper sweeper_;  // used by the thread only
  std::set<AttemptKey> live_;
  Unmarked unmarked_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace ym::local
