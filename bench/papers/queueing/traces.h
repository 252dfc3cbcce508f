// The traces of these tables as lists of jobs: Philly by virtual cluster, Kalos, and Philly with deadlines.
//
// Files are plain or gzip. `invalid` with file, line and column where a row is wrong. All are sorted by submission,
// then by line, and count from 0 at the first submission.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "papers/queueing/deadlines.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

struct VirtualCluster {
  std::string name;
  ClusterShape shape{};
  std::vector<Job> jobs;
};

struct VirtualClusters {
  std::vector<VirtualCluster> clusters;  // by name
  Count left_out = 0;                    // jobs of virtual clusters whose size is not known
};

// "timestamp,duration,num_gpus,gpu_time,cluster": Philly as the artifact of Pollux has it. The sizes are those of
// Helios' artifact over `scale`, rounded up, and at least what the largest job needs.
Result<VirtualClusters> read_philly(const std::string& path, Count scale);

// "job_id,submit_s,duration_s,num_gpus,num_nodes": jobs of Kalos (Hu et al., "Characterization of Large Language Model
// Development in the Datacenter", NSDI 2024). Submissions are `faster` times as close.
Result<std::vector<Job>> read_kalos(const std::string& path, Count faster);

struct JobsWithDeadlines {
  std::vector<Job> jobs;
  std::vector<Deadlines> deadlines;  // by job
  Count left_out = 0;                // jobs without GPUs
};

// Philly with deadlines, of the artifact of Gao et al., "Chronus", SoCC 2021. Its times are minutes.
Result<JobsWithDeadlines> read_chronus(const std::string& path);

}  // namespace ym::sim::queueing
