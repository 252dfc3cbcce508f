// StopList: the stops that were asked for, known to every thread before stop() returns.
//
// What is in it is not launched and gets no supervisor any more, even while the disk takes
// nothing. For later servers the gate is closed in the attempt's folder, too (close_gate).
#pragma once

#include <mutex>
#include <set>

#include "base/result.h"
#include "executor/local/attempt/boots.h"
#include "model/ids.h"
#include "model/states.h"

namespace ym::local {

// Thread-safe.
class StopList {
 public:
  // `boots` outlives it, and is open before the first close().
  explicit StopList(const Boots& boots) : boots_(boots) {}

  // From now on contains(token). Makes the attempt's folder where it is missing and closes
  // its gate, as far as the disk allows; leaves the gates of another launch and of an
  // earlier boot alone.
  void close(int state_folder, const Token& token, StopCause cause);

  bool contains(const Token& token) const;
  bool contains(const AttemptKey& attempt) const;
  void erase(const Token& token);

 private:
  bool may_close(const Result<Fd>& folder, const Token& token) const;

  const Boots& boots_;
  mutable std::mutex mutex_;
  std::set<Token> stopped_;  // under mutex_
};

}  // namespace ym::local
