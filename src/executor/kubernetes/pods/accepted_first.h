// AcceptedFirst: reports LaunchAccepted once, before all other observations of a token.
//
// The server's answer to a creation, the watch and the task agent all prove that a launch was accepted, and each of
// them may be the first.
//
// Threads: any.
#pragma once

#include <mutex>
#include <set>

#include "executor/executor.h"

namespace ym::kubernetes {

class AcceptedFirst {
 public:
  // Must outlive the returned sink.
  ObservationSink before(ObservationSink sink);
  void forget(const Token& token);

 private:
  // True: it was not known before.
  bool learn(const Token& token);

  std::mutex mutex_;
  std::set<Token> known_;  // under mutex_
};

}  // namespace ym::kubernetes
