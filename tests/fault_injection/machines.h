// Machines: what really runs, independent of servers. Servers see it through executors that may be late or wrong
// (unreliable_executor.h). The checks compare the server's state with this.
//
// Threads: one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "executor/simulated/simulated_runs.h"
#include "fault_injection/canary.h"

namespace ym::sim {

// The history of a token from its first launch on. It is never dropped.
struct MachineRun {
  Token token;
  std::string cluster;
  std::vector<TaskPlacement> placement;
  std::vector<bool> alive;  // by task
  std::int32_t starts = 0;  // number of starts of its user code
  std::int32_t started_tasks = 0;
  Duration grace;                         // of its job
  std::int64_t milli_of_device = kMilli;  // of each of its devices
  Instant launched_at;
  struct Stopped {
    Instant at;
    StopRequest request;
  };
  std::optional<Stopped> first_stop;
  std::optional<Instant> lost_task_at;  // the first task that died by a fault
  std::map<std::int32_t, TaskExit> exits;
  std::vector<Observation> seen;  // all observations, in order

  bool lives() const;
};

class Machines {
 public:
  explicit Machines(Canary canary) : canary_(canary) {}

  void launch(const std::string& cluster, const LaunchRequest& request, Instant now);
  void stop(const std::string& cluster, const Token& token, StopRequest request, Instant now);
  void release(const Token& token) { runs_.release(token); }
  // A task dies.
  void lose_task(const Token& token, std::int32_t task, Instant now);
  // Kills everything without a request (Canary::restart_kills).
  void kill_all(Instant now);

  void pass(Instant now);
  std::optional<Instant> next() const { return runs_.next(); }
  // New observations from a cluster.
  std::vector<Observation> take(const std::string& cluster);

  const std::map<Token, MachineRun>& runs() const { return ledger_; }
  const MachineRun* find(const Token& token) const;

 private:
  void see(std::vector<Observation> seen);
  void note(const Observation& seen);

  Canary canary_;
  SimulatedRuns runs_;
  std::map<Token, MachineRun> ledger_;
  std::map<std::string, std::vector<Observation>> news_;  // by cluster
};

}  // namespace ym::sim
