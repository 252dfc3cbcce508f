#include "executor/local/janitor.h"

#include <chrono>

#include "executor/local/retention.h"

namespace ym::local {

Janitor::Janitor(std::filesystem::path state_dir, RetentionRules rules, const Clock& clock)
    : state_dir_(std::move(state_dir)), rules_(rules), clock_(clock) {}

Janitor::~Janitor() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Janitor::start() {
  thread_ = std::thread([this] { run(); });
}

void Janitor::run() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    lock.unlock();
    sweep_attempts(state_dir_, rules_, clock_.now());
    lock.lock();
    wake_.wait_for(lock, std::chrono::milliseconds(rules_.every.ms), [this] { return stopping_; });
  }
}

}  // namespace ym::local
