// NoticeBoard: tells those who wait for the word to stop when there may be news for them.
//
// Control tells of every change; only those whose attempt it is about are woken.
#pragma once

#include <functional>
#include <memory>

#include "model/event.h"

namespace ym {
class BackendSwitch;
}

namespace ym::api {

// Thread-safe.
class NoticeBoard {
 public:
  // Listens until destroyed, to whichever server answers.
  explicit NoticeBoard(BackendSwitch& backends);
  ~NoticeBoard();
  NoticeBoard(const NoticeBoard&) = delete;
  NoticeBoard& operator=(const NoticeBoard&) = delete;

  // From now on `wake` is called, from control's thread, whenever the attempt is told to stop
  // or ends; until the handle is destroyed. Watch first, look then: what comes in between wakes.
  std::shared_ptr<void> watch(AttemptKey attempt, std::function<void()> wake);

  class Waiters;

 private:
  std::shared_ptr<Waiters> waiters_;
  std::shared_ptr<void> listening_;
};

}  // namespace ym::api
