// Incarnation: one life of the server, from its start on the disk to its death.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fault_injection/crashing_store.h"
#include "fault_injection/disk.h"
#include "fault_injection/unreliable_executor.h"
#include "sim/site/step_server.h"

namespace ym::sim {

// Like the server's BootClock: starts with the wall clock, then runs steadily; never before the newest time in the
// store.
class IncarnationClock final : public Clock {
 public:
  IncarnationClock(const VirtualClock& steady, Duration wall_is_ahead, Instant least)
      : steady_(steady), offset_(std::max(wall_is_ahead, least - steady.now())) {}
  Instant now() const override { return steady_.now() + offset_; }

 private:
  const VirtualClock& steady_;
  Duration offset_;
};

class Incarnation {
 public:
  struct Options {
    const VirtualClock& steady;
    Duration wall_is_ahead;
    const DesiredState& desired;
    const PolicySettings& settings;
    Machines& machines;
    std::uint64_t seed = 0;
    Canary canary = Canary::none;
    std::function<void(const DieAtStep&)> die;  // copies the disk and throws ServerDies
  };
  Incarnation(std::unique_ptr<Store> store, const Options& options);

  // Takes over the state. May throw ServerDies.
  Result<void> begin(const Options& options, std::function<void(const Committed&, const Tables&)> committed);

  StepServer& server() { return *server_; }
  const Tables& tables() const { return server_->tables(); }
  CrashingStore& store() { return store_; }
  const Clock& clock() const { return clock_; }
  std::map<std::string, UnreliableExecutor>& executors() { return executors_; }
  std::optional<Instant> next() const;

 private:
  CrashingStore store_;
  IncarnationClock clock_;
  std::map<std::string, UnreliableExecutor> executors_;  // by cluster
  std::unique_ptr<StepServer> server_;
};

}  // namespace ym::sim
