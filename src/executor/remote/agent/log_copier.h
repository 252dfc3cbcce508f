// LogCopier: copies the output of user code to this process's own output while it grows, where the cluster's tools show
// it.
//
// It has a thread of its own; only that thread blocks if the output has no reader. It sleeps until the log grows.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/fd.h"
#include "base/time.h"

namespace ym::remote {

class LogCopier {
 public:
  // Copies from `log`, which may be created later, to `out`, which the caller owns. Precondition: the folder of `log`
  // exists.
  LogCopier(std::string log, int out);
  // Does not copy the rest.
  ~LogCopier();
  LogCopier(const LogCopier&) = delete;
  LogCopier& operator=(const LogCopier&) = delete;

  // Nothing is written to the log any more: waits until all of it is copied, at most for `timeout`.
  void finish(Duration timeout);

 private:
  void run();
  // True if there was anything to copy.
  bool copy_some();

  const std::string log_;
  const int out_;
  Fd file_, changes_, wake_, done_;
  std::atomic<bool> last_round_ = false, given_up_ = false;
  std::thread thread_;
};

}  // namespace ym::remote
