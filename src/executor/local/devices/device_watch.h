// DeviceWatch: whether the GPUs of this machine can be given to jobs.
//
// What is on a GPU while no attempt has it is taken as normal: a display, a user's notebook. When an attempt leaves the
// GPU, it must be in that state again. Memory is often freed a little after the last process has ended, so the watch
// waits for a short time. If something is left then, the GPU is reported as unhealthy before the end of the task, and
// reported again when it is clean. A driver that does not answer changes nothing. The watch cannot tell apart tasks
// that share a GPU: what one leaves there shows when the last of them has ended.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/local/devices/device_book.h"
#include "executor/local/local_executor.h"
#include "executor/local/machine/event_loop.h"

namespace ym::local {

class DeviceWatch {
 public:
  using Report = std::function<void(DevicesAreUnhealthy)>;

  // All arguments outlive it; `report` is called on the loop's thread.
  DeviceWatch(EventLoop& loop, const LocalOptions& options, Report report);

  // This machine as it is now. From any thread; it may take seconds.
  Node node();
  // Reason of a device on which something is left.
  static constexpr const char* kLeft = "something of a job that has ended is left on it";

  // Devices on which something is left.
  std::set<std::string> unclean() const;
  // Indices of the known ones among `devices`.
  std::set<std::string> indices_of(const std::vector<std::string>& devices) const;

  // --- on the loop's thread only
  // Continues to watch devices that an earlier server found unclean.
  void start() { look_again_later(); }
  // A task gets these devices, or got them before this server came. Here and below: by index or UUID.
  void take(const std::vector<std::string>& devices);
  // A task that took these has ended. Calls `done` when they are clean or reported.
  void settle(const std::vector<std::string>& devices, EventLoop::Work done);

 private:
  using Devices = std::set<std::string>;
  using Found = std::function<void(const Devices& unclean)>;

  void look_at(const Devices& devices, Found found);
  Devices judge(const Devices& devices, const std::map<std::string, GpuUse>& uses);
  void settle_round(const Devices& devices, int looks, EventLoop::Work done);
  void look_again_later();
  void look_again();
  Devices known_of(const std::vector<std::string>& devices) const;  // under the mutex
  void set_unclean(const Devices& devices, bool unclean);
  void learn(std::vector<Gpu> found, const std::map<std::string, GpuUse>& uses);
  void save() const;

  EventLoop& loop_;
  const LocalOptions& options_;
  const Report report_;
  bool waiting_ = false;  // for the next look; loop's thread
  mutable std::mutex mutex_;
  DeviceBook book_;                   // under mutex_
  std::map<std::string, int> users_;  // number of tasks that took it and have not ended; under mutex_
};

}  // namespace ym::local
