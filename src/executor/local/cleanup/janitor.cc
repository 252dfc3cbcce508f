#include "executor/local/cleanup/janitor.h"

#include <chrono>

namespace ym::local {

Janitor::Janitor(std::filesystem::path state_dir, RetentionRules rules, const Clock& clock)
    : state_dir_(std::move(state_dir)), rules_(rules), clock_(clock), sweeper_(state_dir_) {}

Janitor::~Janitor() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Janitor::start(std::set<AttemptKey> live, Unmarked unmarked) {
  live_ = std::move(live);
  unmarked_ = std::move(unmarked);
  thread_ = std::thread([this] { run(); });
}

bool Janitor::stopping() {
  const std::lock_guard lock{mutex_};
  return stopping_;
}

void Janitor::look_for_unmarked() {
  for (const auto& attempt : unmarked_attempts(state_dir_)) {
    if (stopping()) return;
    if (!live_.contains(attempt)) unmarked_(attempt);
  }
}

void Janitor::run() {
  look_for_unmarked();
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    lock.unlock();
    sweeper_.sweep(rules_, clock_.now());
    lock.lock();
    wake_.wait_for(lock, std::chrono::milliseconds(rules_.every.ms), [this] { return stopping_; });
  }
}

}  // namespace ym::local
