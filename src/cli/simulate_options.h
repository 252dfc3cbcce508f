// What `ym simulate` was asked to do. The command line fills it in; the program that has a simulator in it (apps/ym)
// acts on it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/recorded_job.h"

namespace ym {

struct SimulateOptions {
  std::string cluster;                // configuration file with clusters and flavors, and whatever no policy says
  std::vector<std::string> policies;  // files whose queues and settings are tried, one after the other; none: its own
  std::string workload, format;       // the trace; empty format: recognised by its columns
  // Instead of a trace, in the order of submission.
  std::optional<std::vector<RecordedJob>> history{};
  // Instead of both: what is recorded in this state directory, as of jobs submitted since then.
  std::string state;
  Instant since;
  std::string jobs_csv;  // a row for each job that has ended; empty: none
  std::string page;      // the report as HTML; empty: none
  std::optional<Instant> until;
  // More than one: so many workloads like that one are tried instead of it, days of it put together anew.
  std::int32_t seeds = 1;
  std::optional<Duration> checkpoints;  // of every job; 0: while it stops only
  Duration start_time{}, grace = seconds(30);
  // It is foreseen when a job that waits will start, once in so much time at most; 0: never. With one seed only.
  Duration forecasts_every{};
};

struct SimulateProgress {
  std::string policy;
  std::int32_t seed = 1;
  Instant now;
  std::int64_t submitted = 0, ended = 0, live = 0;
  double share = 0;  // of the jobs, about
};
using OnSimulateProgress = std::function<void(const SimulateProgress&)>;

}  // namespace ym
