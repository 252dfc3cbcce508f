#include "net/cancel.h"

namespace ym::net {

Cancel::Cancel() : shared_(std::make_shared<Shared>()) {}

void Cancel::cancel() const {
  const std::lock_guard lock(shared_->mutex);
  shared_->cancelled = true;
  // Under the lock, so that a call that waits cannot return while `wake` runs.
  for (const auto& [key, wake] : shared_->watchers) wake();
}

bool Cancel::cancelled() const { return shared_->cancelled; }

CancelWatch::CancelWatch(const Cancel& cancel, std::function<void()> wake) : shared_(cancel.shared()) {
  const std::lock_guard lock(shared_->mutex);
  key_ = shared_->next++;
  shared_->watchers.emplace(key_, std::move(wake));
}

CancelWatch::~CancelWatch() {
  const std::lock_guard lock(shared_->mutex);
  shared_->watchers.erase(key_);
}

}  // namespace ym::net
