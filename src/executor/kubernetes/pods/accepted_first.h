// AcceptedFirst: LaunchAccepted, once and before all else that is said of a token.
//
// The server's answer to a creation, the watch and the wrapper all prove that a launch was taken, and any of the three
// may be the first.
//
// Threads: any.
#pragma once

#include <mutex>
#include <set>

#include "executor/executor.h"

namespace ym::kubernetes {

class AcceptedFirst {
 public:
  // Must outlive what it returns.
  ObservationSink before(ObservationSink sink);
  void forget(const Token& token);

 private:
  // True: it was not known until now.
  bool learn(const Token& token);

  std::mutex mutex_;
  std::set<Token> known_;  // under mutex_
};

}  // namespace ym::kubernetes
