// LogCopier: what user code writes, on our own output as it grows, where a cluster's own tools show it.
//
// On a thread of its own, which alone waits if nobody takes the output. It sleeps until the log grows.
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
  // Copies from `log`, which may appear in its folder later, to `out`, which stays the caller's. Precondition: the
  // folder is there.
  LogCopier(std::string log, int out);
  // The rest is left out.
  ~LogCopier();
  LogCopier(const LogCopier&) = delete;
  LogCopier& operator=(const LogCopier&) = delete;

  // Nothing is written to the log any more: waits until all of it was copied, or `patience` is over.
  void finish(Duration patience);

 private:
  void run();
  // True if anything was there.
  bool copy_some();

  const std::string log_;
  const int out_;
  Fd file_, changes_, wake_, done_;
  std::atomic<bool> last_round_ = false, given_up_ = false;
  std::thread thread_;
};

}  // namespace ym::remote
