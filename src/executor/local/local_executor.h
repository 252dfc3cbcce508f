// The executor `local`: this machine, as it is or as a number of virtual nodes.
//
// One thread does all the work; calls only queue work for it. Attempts outlive the executor: neither its destructor nor
// a kill of its process stops any. A later executor with the same state directory finds all of them.
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
  std::filesystem::path state_dir;   // exists; attempts go into state_dir/attempts
  std::filesystem::path supervisor;  // the program ym-supervisor
  std::string cluster = "local";
  std::vector<Node> nodes;                 // virtual nodes; empty: this machine as found
  std::int64_t log_cap = kGiB;             // of each task's log
  std::int64_t open_files = 0;             // soft limit for jobs; 0: that of this process
  Duration start_timeout = minutes(5);     // for a whole gang to reach the launch barrier
  Duration contact_timeout = seconds(10);  // a supervisor without an answer for this time is out of contact
  // Time after the grace of a stop. If a supervisor does not answer then, the executor kills it and cleans up. If it
  // answers but the task has not ended, the attempt is reported as out of contact, with the reason.
  Duration stop_timeout = seconds(30);
  Duration probe_timeout = seconds(10);  // for the file systems of checkpoints
  Duration retry_pause = seconds(5);     // before another look at what could not be seen
  // After a restart: time before missing supervisors are started, so that a stop that is on its way comes first.
  Duration settle = seconds(1);
  RetentionRules retention;
  Duration device_pause = seconds(3);      // before another look at a GPU on which something is left
  std::string nvml = "libnvidia-ml.so.1";  // NVIDIA's management library, by name or path
};

// What a person who starts a server on this machine should know, one sentence each; above all, that jobs would end with
// it. Cheap; reads /proc and the environment.
std::vector<std::string> host_warnings();

// Precondition: the clock outlives the executor.
std::unique_ptr<Executor> make_local_executor(LocalOptions options, const Clock& clock);

}  // namespace ym
