// StopList: the requested stops, visible to every thread before stop() returns.
//
// An attempt in the list is not launched and gets no supervisor any more, even if the disk is full. For later servers,
// the launch barrier in the attempt's folder is closed too (close_barrier).
#pragma once

#include <mutex>
#include <set>

#include "base/result.h"
#include "executor/local/attempt/boot_epochs.h"
#include "model/ids.h"
#include "model/states.h"

namespace ym::local {

// Thread-safe.
class StopList {
 public:
  // `boots` outlives it, and is open before the first close().
  explicit StopList(const BootEpochs& boot_epochs) : boot_epochs_(boot_epochs) {}

  // From now on contains(token). Makes the folder of the attempt if it is missing, and closes its launch barrier, as
  // far as the disk allows. Does not touch the barriers of another launch or of an earlier boot.
  void close(int state_folder, const Token& token, StopCause cause);

  bool contains(const Token& token) const;
  bool contains(const AttemptKey& attempt) const;
  void erase(const Token& token);

 private:
  bool may_close(const Result<Fd>& folder, const Token& token) const;

  const BootEpochs& boot_epochs_;
  mutable std::mutex mutex_;
  std::set<Token> stopped_;  // under mutex_
};

}  // namespace ym::local
