// A world: the production control, engine and store on one thread, over a disk, machines, clocks and a network that a
// seed makes fail, with somebody who watches over each promise. The same seed gives the same world, to the last event.
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
  // What happens, line by line, for people; nothing: it is not told.
  std::function<void(std::string_view)> tell{};
};

struct WorldReport {
  std::vector<Violation> violations;
  FaultCounts faults;
  std::int64_t servers = 0, commits = 0, events = 0, jobs = 0, runs = 0;
  std::uint64_t times = 0;  // of all events, folded: differs as soon as anything does
};

// Threads: one world at a time in a process.
WorldReport run_world(const WorldOptions& options);

}  // namespace ym::sim
