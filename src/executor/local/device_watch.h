// DeviceWatch: whether the GPUs of this machine can be given to somebody.
//
// What is on a GPU while no attempt has it is taken as given: a display, somebody's notebook.
// When an attempt leaves it, it has to be so again. Memory is often freed only some time after
// the last process has ended, so that is waited for a little; a GPU on which something is left
// then is reported as unhealthy before the end of the task is, and again when it is clean.
// A driver that does not answer changes nothing of what is known. Who shares a GPU is not told from the others on it:
// what is left there shows when the last of them has gone.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/local/device_book.h"
#include "executor/local/event_loop.h"
#include "executor/local/local_executor.h"

namespace ym::local {

class DeviceWatch {
 public:
  using Report = std::function<void(DevicesAreUnhealthy)>;

  // All outlive it; `report` is called on the loop's thread.
  DeviceWatch(EventLoop& loop, const LocalOptions& options, Report report);

  // From any thread: this machine, as it is now. It may take seconds.
  Node node();
  // What is said of a device on which something is left.
  static constexpr const char* kLeft = "something of a job that has ended is left on it";

  // On which something is left.
  std::set<std::string> unclean() const;
  // Those of them that are known, by index.
  std::set<std::string> indices_of(const std::vector<std::string>& devices) const;

  // --- on the loop's thread only
  // Goes on with what an earlier server has found unclean.
  void start() { look_again_later(); }
  // A task is given these, or was before this server came. Here and below: by index or UUID.
  void take(const std::vector<std::string>& devices);
  // A task that took these has ended. Calls `done` when they are clean, or reported.
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
  std::map<std::string, int> users_;  // tasks that have taken it and have not ended; under mutex_
};

}  // namespace ym::local
