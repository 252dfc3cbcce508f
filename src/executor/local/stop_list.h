// StopList: the stops that were asked for, known to every thread before stop() returns.
//
// What is in it is not launched and gets no supervisor any more, even while the disk takes
// nothing. For later servers the gate is closed on disk too (close_gate), without an fsync
// on the caller's thread: that is for the loop to make up for, see settle().
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "base/result.h"
#include "executor/local/attempt/fd.h"
#include "model/ids.h"
#include "model/states.h"

namespace ym::local {

// Thread-safe.
class StopList {
 public:
  // From now on contains(token). Makes the attempt's folder where it is missing and closes
  // its gate, as far as the disk allows; leaves the gate of another launch alone.
  void close(int state_folder, const Token& token, StopCause cause);

  bool contains(const Token& token) const;
  bool contains(const AttemptKey& attempt) const;
  void erase(const Token& token);

  // Makes the folders on this path durable, as far as close() has made them. Precondition:
  // nothing that is to last was written below `path` before.
  Result<void> settle(int state_folder, const std::string& path);

 private:
  Fd reach(int state_folder, const std::string& path);
  Result<void> settle_entries_of(int state_folder, const std::string& parent);

  mutable std::mutex mutex_;
  std::set<Token> stopped_;         // under mutex_
  std::set<std::string> unsynced_;  // under mutex_: folders in which close() has made one
};

}  // namespace ym::local
