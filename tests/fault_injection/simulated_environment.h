// What servers depend on and what outlives them (the disk, the machines, the clocks, the network), with its faults.
//
// Threads: one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "fault_injection/incarnation.h"

namespace ym::sim {

class SimulatedEnvironment {
 public:
  // `happened`: called when a fault has begun.
  SimulatedEnvironment(Instant begin, Canary canary, Random& random, std::function<void(const FaultKind&)> happened,
                       std::function<void(std::string_view)> tell)
      : clock_(begin), machines_(canary), random_(random), happened_(std::move(happened)), tell_(std::move(tell)) {}

  VirtualClock& clock() { return clock_; }
  const VirtualClock& clock() const { return clock_; }
  Disk& disk() { return disk_; }
  Machines& machines() { return machines_; }
  const Machines& machines() const { return machines_; }
  Duration wall_is_ahead() const { return wall_is_ahead_; }

  // The present server; null: there is none. Lasting faults affect a new server, too.
  void serve(Incarnation* server);
  // Both may throw ServerDies.
  void strike(const FaultKind& fault);
  void end_what_is_over();
  // Kills the present server, and throws.
  [[noreturn]] void kill(bool with_power);

  // Whether a lasting fault is active.
  bool is_disturbed() const { return !ends_.empty(); }
  std::optional<Instant> next_end() const;

 private:
  // Whether the fault has begun. A death at a step happens later, with its commit.
  bool begin(const DieAtStep& die);
  bool begin(const DieNow& die);
  bool begin(const DiskFails& fails);
  bool begin(const ClockJumps& jumps);
  bool begin(const RepliesSuffer& how);
  bool begin(const ContactIsCut& cut);
  bool begin(const TaskDies&);
  bool begin(const ExecutorLies&);

  void for_executors(const std::function<void(UnreliableExecutor&)>& act);
  void end_after(Duration lasts, std::function<void()> end) { ends_.emplace(clock_.now() + lasts, std::move(end)); }

  VirtualClock clock_;
  Disk disk_;
  Machines machines_;
  Random& random_;
  const std::function<void(const FaultKind&)> happened_;
  const std::function<void(std::string_view)> tell_;
  Incarnation* server_ = nullptr;

  std::multimap<Instant, std::function<void()>> ends_;
  Duration wall_is_ahead_{};
  RepliesSuffer how_;
  bool cut_ = false;
  std::optional<DieAtStep> armed_;
};

}  // namespace ym::sim
