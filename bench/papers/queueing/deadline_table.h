// The table of deadlines (philly-slo-chronus): Philly's jobs with deadlines that the artifact of Chronus gave them, on
// 120 nodes of eight GPUs, which they ask for 1.14 to 1.18 times over. Nobody has published a table of these.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/queueing/deadlines.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

struct DeadlineTableOptions {
  std::string folder;  // trace_job_Philly_SLO.csv.gz and so on
  std::vector<std::string> traces{"SLO", "MIX1", "MIX2"};
  std::vector<std::string> policies;  // as in DeadlineTableRow; none: all
  ClusterShape shape{.nodes = 120, .gpus_per_node = 8};
  // The engine is run on each so-manieth job, on as many nodes less: so the load and the time that it lasts are the
  // same. All others are run on that too. 1: it is run on all, which takes long.
  Count engine_every = 8;
};

struct DeadlineFigures {
  Count strict = 0, missed = 0;
  Count soft = 0;
  double soft_value = 0;  // that was kept, of all that there was; 0 if there are no soft jobs
  Count best_effort = 0;
  double best_effort_completion_s = 0;  // mean
  double stops_per_job = 0;

  double missed_share() const { return strict == 0 ? 0 : static_cast<double>(missed) / static_cast<double>(strict); }
};

DeadlineFigures deadline_figures(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                                 std::span<const Outcome> outcomes);

struct DeadlineTableRow {
  std::string trace;  // "SLO", or "SLO/8" of each eighth job
  std::string policy;
  Count left_out = 0;  // jobs without GPUs
  DeadlineFigures figures;
  Count least_missed = 0;  // deadline_bound.h
};

// `not_found` where a file or a policy is missing, `invalid` where a file is wrong. Calls `each` with each row as it is
// there.
Result<std::vector<DeadlineTableRow>> deadline_table(const DeadlineTableOptions& options,
                                                     const std::function<void(const DeadlineTableRow&)>& each = {});

// A line each, for printing, in columns; and the line above them.
std::string deadline_header();
std::string to_text(const DeadlineTableRow& row);

}  // namespace ym::sim::queueing
