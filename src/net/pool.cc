#include "net/pool.h"

namespace ym::net {
namespace {

// Servers close idle connections. A request that is sent at the same time may be lost.
constexpr auto kIdleTime = std::chrono::seconds(30);

}  // namespace

std::unique_ptr<Transport> Pool::take() {
  std::vector<Kept> stale;  // destroyed after the lock is released
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  while (!kept_.empty()) {
    Kept last = std::move(kept_.back());
    kept_.pop_back();
    if (now - last.since < kIdleTime && last.transport->is_quiet()) return std::move(last.transport);
    stale.push_back(std::move(last));
  }
  return nullptr;
}

void Pool::put(std::unique_ptr<Transport> transport) {
  std::vector<Kept> stale;
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  kept_.push_back({std::move(transport), now});
  const auto too_many = kept_.size() > most_ ? kept_.size() - most_ : 0;
  std::size_t old = 0;
  while (old < kept_.size() && (old < too_many || now - kept_[old].since >= kIdleTime)) ++old;
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(old);
  stale.assign(std::move_iterator(kept_.begin()), std::move_iterator(end));
  kept_.erase(kept_.begin(), end);
}

}  // namespace ym::net
