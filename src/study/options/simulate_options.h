// Options of `ym simulate`. The command line fills them in; src/study acts on them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "study/options/recorded_job.h"

namespace ym {

struct SimulateOptions {
  std::string cluster;  // configuration file with clusters and flavors, and with the settings that a policy leaves out
  std::vector<std::string> policies;  // files with queues and settings to compare; none: those of `cluster`
  std::string workload, format;       // the trace; empty format: recognised by its columns
  // Used in place of a trace, in the order of submission.
  std::optional<std::vector<RecordedJob>> history{};
  // Used in place of both: the recorded jobs of this state directory that were submitted at `since` or later.
  std::string state;
  Instant since;
  std::string jobs_csv;  // gets a row for each ended job; empty: none
  std::string page;      // gets the report as HTML; empty: none
  std::optional<Instant> until;
  // More than 1: simulates this number of workloads, each made of days of the given one.
  std::int32_t seeds = 1;
  std::optional<Duration> checkpoints;  // how often each job saves; 0: only when it stops
  Duration start_time{}, grace = seconds(30);
  // At most once in this time, each waiting job gets a forecast of its start; 0: never. With one seed only.
  Duration forecasts_every{};
};

struct SimulateProgress {
  std::string policy;
  std::int32_t seed = 1;
  Instant now;
  std::int64_t submitted = 0, ended = 0, live = 0;
  double share = 0;  // simulated part of the jobs, approximate
};
using OnSimulateProgress = std::function<void(const SimulateProgress&)>;

}  // namespace ym
