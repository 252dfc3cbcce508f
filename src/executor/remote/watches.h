// Watches: callbacks for changed orders of an attempt. Private to this library. Threads: any.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "model/ids.h"

namespace ym::remote {

class Watches : public std::enable_shared_from_this<Watches> {
 public:
  // After the handle is destroyed, `wake` is not called any more. `wake` must not destroy a handle.
  std::shared_ptr<void> add(const AttemptKey& attempt, std::function<void()> wake) {
    const std::lock_guard lock{mutex_};
    auto& list = watches_[attempt];
    const auto at = list.insert(list.end(), std::move(wake));
    return {this, [self = shared_from_this(), attempt, at](void*) { self->remove(attempt, at); }};
  }

  void wake(const AttemptKey& attempt) {
    const std::lock_guard lock{mutex_};
    const auto found = watches_.find(attempt);
    if (found == watches_.end()) return;
    for (const auto& wake : found->second) wake();
  }

 private:
  using List = std::list<std::function<void()>>;

  void remove(const AttemptKey& attempt, List::iterator at) {
    const std::lock_guard lock{mutex_};
    const auto found = watches_.find(attempt);
    found->second.erase(at);
    if (found->second.empty()) watches_.erase(found);
  }

  std::mutex mutex_;
  std::map<AttemptKey, List> watches_;  // under mutex_
};

}  // namespace ym::remote
