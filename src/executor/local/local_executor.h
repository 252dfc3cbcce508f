// The executor `local`: this machine, as it is or as a number of virtual nodes.
//
// One thread of its own does all the work; calls only hand it something to do. What it
// starts outlives it: destroying the executor, or killing its process, stops nothing,
// and an executor made later for the same state directory finds everything again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "executor/logs/retention.h"

namespace ym {

struct LocalOptions {
  std::filesystem::path state_dir;   // exists; attempts go below state_dir/attempts
  std::filesystem::path supervisor;  // the program ym-supervisor
  std::string cluster = "local";
  std::vector<Node> nodes;                 // virtual nodes; none: this machine as found
  std::int64_t log_cap = kGiB;             // of each task's log
  std::int64_t open_files = 0;             // soft limit for jobs; 0: this process's own
  Duration start_timeout = minutes(5);     // for a whole gang to come to the start gate
  Duration contact_timeout = seconds(10);  // a supervisor that does not answer for so long is out of contact
  // A stop whose grace has been over for so long without an end: a supervisor that does
  // not answer is killed, and the executor clears up what it leaves; if it answers, the
  // attempt is reported as out of contact, with what is wrong.
  Duration stop_patience = seconds(30);
  Duration probe_patience = seconds(10);  // for the file systems on which checkpoints are looked for
  Duration retry_pause = seconds(5);      // before another look at what could not be seen
  // After a restart: before supervisors that were never started are started, so that a
  // stop that is on its way comes first.
  Duration settle = seconds(1);
  RetentionRules retention;
  Duration device_pause = seconds(3);      // before another look at a GPU on which something is left
  std::string nvml = "libnvidia-ml.so.1";  // NVIDIA's management library, by name or path
};

// What somebody who starts a server on this machine should know, a sentence each: that its
// jobs would end with it, above all. Cheap; reads /proc and the environment.
std::vector<std::string> surroundings_warnings();

// Precondition: the clock outlives the executor.
std::unique_ptr<Executor> make_local_executor(LocalOptions options, const Clock& clock);

}  // namespace ym
