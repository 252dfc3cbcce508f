// The traces of Zheng et al., "Shockwave: Fair and Efficient Cluster Scheduling for Dynamic Adaptation in Machine
// Learning", NSDI 2023, and what they published of their runs on 32 GPUs.
//
// Jobs there change their batch size while they train. Here they do not: the run time is what the trace gives.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

struct Figures {
  double makespan_s = 0;
  double mean_completion_s = 0;  // from submission
  double worst_rho = 0;
  double unfair_share = 0;  // of jobs with a rho above 1.05
};

// Of the simulated runs of one set, by policy ("min_total_duration").
using PublishedTable = std::map<std::string, Figures>;

// Tab-separated without header, plain or gzip: type, command, folder, flag, needs data, steps, GPUs, mode, priority,
// SLO, run time in s, submission in s. By submission, then line. `most_gpus`: a job that wants more is an error.
// `invalid` with file and line where a row is wrong, as below.
Result<std::vector<Job>> read_jobs(const std::string& path, Count most_gpus);
Result<PublishedTable> read_published(const std::string& path, const std::string& set);

}  // namespace ym::sim::fairness
