// The jobs that run in a cluster of nodes: where each lies, when it ends, and what it has left when it is stopped.
//
// Under the protocol of Hu et al., "Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU
// Datacenters" (Helios), SC 2021: a job of at most a node's GPUs lies in the node that it fills best, a larger one on
// nodes that are wholly free, what is left over in one more. A stop loses no work; what it costs is added to what is
// left. The jobs' own `overhead_us` does not count here.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "papers/service/nodes.h"

namespace ym::sim::queueing {

using service::ClusterShape;
using service::Count;
using service::Job;
using service::JobNumber;
using service::kNever;
using service::kSecond;
using service::Micros;
using service::Nodes;
using service::Outcome;
using service::Placement;
using service::seconds_of;

class RunningJobs {
 public:
  // The jobs outlive it.
  RunningJobs(std::span<const Job> jobs, const ClusterShape& shape)
      : jobs_(jobs), nodes_(shape), states_(jobs.size()), outcomes_(jobs.size()) {
    for (JobNumber job = 0; job < jobs.size(); ++job) states_[job].left_us = jobs[job].work_us;
  }

  // Those that are done by then end. Precondition: not before now, and not past first_end_us().
  void advance_to(Micros now_us);
  Micros now_us() const { return now_us_; }
  Micros first_end_us() const { return ends_.empty() ? kNever : ends_.begin()->first; }

  // False: there is no room. Precondition: it waits.
  bool start(JobNumber job);
  // `added_us`: to its run time. Precondition: it runs.
  void stop(JobNumber job, Micros added_us);

  bool runs(JobNumber job) const { return states_[job].runs; }
  bool ended(JobNumber job) const { return outcomes_[job].end_us < kNever; }
  Micros left_us(JobNumber job) const;
  Micros ran_us(JobNumber job) const;  // stops' costs included
  const Placement& placement(JobNumber job) const { return states_[job].placement; }

  const Nodes& nodes() const { return nodes_; }
  const std::set<std::pair<Micros, JobNumber>>& ends() const { return ends_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  struct State {
    Micros left_us = 0, ran_us = 0;  // when it last began or stopped
    Micros since_us = 0;
    bool runs = false;
    Placement placement{};
  };
  void leave(JobNumber job);

  std::span<const Job> jobs_;
  Nodes nodes_;
  std::vector<State> states_;
  std::vector<Outcome> outcomes_;
  std::set<std::pair<Micros, JobNumber>> ends_;
  Micros now_us_ = 0;
};

}  // namespace ym::sim::queueing
