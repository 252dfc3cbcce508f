// LostDevices: what launches have that the state does not know, as long as they live.
//
// Nobody else is given it: it is reported as unhealthy, with the launch's name. That is said again with every look,
// since nodes may have been configured anew meanwhile. On GPUs of this machine nothing may be left of a launch when it
// has ended, as of any (DeviceWatch).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/local/device_watch.h"
#include "executor/local/event_loop.h"
#include "executor/local/local_executor.h"
#include "executor/local/lost_launches.h"

namespace ym::local {

struct LostDevicesServices {
  EventLoop& loop;
  const LocalOptions& options;
  DeviceWatch& devices;
  std::function<bool(const Token&)> may_live;        // by its processes
  std::function<bool(const Token&)> nothing_lives;   // by its control groups, too
  std::function<void(DevicesAreUnhealthy)> report;   // on the loop's thread
  std::function<void(const AttemptKey&)> has_ended;  // nothing of it lives any more; so, too
};

class LostDevices {
 public:
  // What is in the services outlives it.
  explicit LostDevices(LostDevicesServices services) : services_(std::move(services)) {}

  // --- from any thread
  // Takes off the nodes' health what is held of them.
  void mark(std::vector<Node>& nodes) const;
  // What is held of this node goes into the report, too.
  void join(DevicesAreUnhealthy& seen) const;

  // --- on the loop's thread only
  // Reported before it returns. What has no devices that are known is not held.
  void hold(const std::vector<FoundLaunch>& living);
  bool holds(const AttemptKey& attempt) const;

 private:
  using ByNode = std::map<std::string, std::set<std::string>>;
  struct Held {
    ByNode devices;
    std::vector<std::string> physical;  // as CUDA names them
    bool is_leaving = false;            // it has ended, and what it leaves is looked at; loop's thread
  };

  ByNode devices_of(const FoundLaunch& found) const;
  void look_again_later();
  void look_again();
  bool lives(const Token& token) const;
  void give_back(const Token& token);
  void report(const std::set<std::string>& nodes) const;
  std::set<std::string> nodes() const;

  const LostDevicesServices services_;
  bool waiting_ = false;  // for the next look; loop's thread
  mutable std::mutex mutex_;
  std::map<Token, Held> held_;  // under mutex_ where it is changed, and on other threads
};

}  // namespace ym::local
