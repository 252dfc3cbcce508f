// A world: one fault-injection run. The production control, engine and store run on one thread over a disk, machines,
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

#include "worlds/canary.h"
#include "worlds/faults.h"
#include "worlds/promise.h"

namespace ym::sim {

struct WorldOptions {
  std::uint64_t seed = 0;
  Canary canary = Canary::none;
  // Gets a line for each event of the run; empty: no output.
  std::function<void(std::string_view)> tell{};
};

struct WorldReport {
  std::vector<Violation> violations;
  FaultCounts faults;
  std::int64_t servers = 0, commits = 0, events = 0, jobs = 0, runs = 0;
  std::uint64_t times = 0;  // a hash of the times of all events: any difference changes it
};

// Threads: one world at a time in a process.
WorldReport run_world(const WorldOptions& options);

}  // namespace ym::sim
