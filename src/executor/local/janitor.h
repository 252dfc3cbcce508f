// Janitor: the thread that applies retention now and then.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "executor/local/local_executor.h"

namespace ym::local {

class Janitor {
 public:
  // The clock must outlive it.
  Janitor(std::filesystem::path state_dir, RetentionRules rules, const Clock& clock);
  ~Janitor();
  Janitor(const Janitor&) = delete;
  Janitor& operator=(const Janitor&) = delete;

  void start();

 private:
  void run();

  const std::filesystem::path state_dir_;
  const RetentionRules rules_;
  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace ym::local
