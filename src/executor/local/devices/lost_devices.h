// LostDevices: the devices of lost launches, held while the launches live.
//
// They are not given to other jobs: they are reported as unhealthy, with the name of the launch. Each look reports them
// again, since the nodes may have a new configuration. When a lost launch has ended, nothing of it may be left on GPUs
// of this machine, as with any attempt (DeviceWatch).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/local/devices/device_watch.h"
#include "executor/local/local_executor.h"
#include "executor/local/lost_launches.h"
#include "executor/local/machine/event_loop.h"

namespace ym::local {

struct LostDevicesServices {
  EventLoop& loop;
  const LocalOptions& options;
  DeviceWatch& devices;
  std::function<bool(const Token&)> may_live;        // by its processes
  std::function<bool(const Token&)> nothing_lives;   // by its control groups too
  std::function<void(DevicesAreUnhealthy)> report;   // called on the loop's thread
  std::function<void(const AttemptKey&)> has_ended;  // nothing of it lives any more; called on the loop's thread
};

class LostDevices {
 public:
  // The objects in `services` outlive it.
  explicit LostDevices(LostDevicesServices services) : services_(std::move(services)) {}

  // --- from any thread
  // Marks held devices of the nodes as unhealthy.
  void mark(std::vector<Node>& nodes) const;
  // Adds the held devices of this node to the report.
  void join(DevicesAreUnhealthy& seen) const;

  // --- on the loop's thread only
  // Reports before it returns. A launch without known devices is not held.
  void hold(const std::vector<FoundLaunch>& living);
  bool holds(const AttemptKey& attempt) const;

 private:
  using ByNode = std::map<std::string, std::set<std::string>>;
  struct Held {
    ByNode devices;
    std::vector<std::string> physical;  // as CUDA names them
    bool is_leaving = false;            // it has ended, and its devices are being checked; loop's thread
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
  std::map<Token, Held> held_;  // changes, and reads on other threads, are under mutex_
};

}  // namespace ym::local
