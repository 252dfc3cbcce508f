// One fault-injection run: the production control, engine and store run on one thread over a disk, machines,
// clocks and a network that fail as a seed determines. Watches check each promise. The same seed gives the same run, to
// the last event.
//
// After FoundationDB's simulation and TigerBeetle's VOPR.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fault_injection/canary.h"
#include "fault_injection/faults.h"
#include "fault_injection/promise.h"

namespace ym::sim {

struct FaultRunOptions {
  std::uint64_t seed = 0;
  Canary canary = Canary::none;
  // Gets a line for each event of the run; empty: no output.
  std::function<void(std::string_view)> tell{};
};

struct FaultRunReport {
  std::vector<Violation> violations;
  FaultCounts faults;
  std::int64_t servers = 0, commits = 0, events = 0, jobs = 0, runs = 0;
  std::int64_t moved = 0;   // events that left the store
  std::uint64_t times = 0;  // a hash of the times of all events: any difference changes it
};

// Threads: one run at a time in a process.
FaultRunReport run_with_faults(const FaultRunOptions& options);

}  // namespace ym::sim
