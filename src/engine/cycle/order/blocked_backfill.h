// Blocked backfill: which jobs keep nodes or quota from the jobs behind them.
//
// Other jobs may be backfilled before a blocked job until it is old (age.h). From then on, within a cycle, it keeps
// what it waits for from the jobs behind it:
//   machines: no job behind it takes a node that it could use. Its quota is claimed too, so that the quota is still
//   there
//             when the machines are. A task without GPUs may start there if it does not delay the job
//             (placement/kept_nodes.h);
//   quota:    no job behind it in its queue takes quota of that flavor and kind. If a cohort is short too, no job below
//             that cohort borrows any; of several such cohorts the highest counts. The job keeps nothing if nominal
//             usage of other queues, rather than borrowed usage, is in its way: that would not help it.
// A job that cannot run until a user changes quota, nodes or devices keeps nothing. A job for which nodes are made in
// time does.
#pragma once

#include <vector>

#include "engine/quota/demand.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/job_table.h"
#include "engine/state/names.h"

namespace ym::engine {

class KeptQuota {
 public:
  KeptQuota(std::size_t queues, std::size_t flavors) : flavors_(flavors), size_(queues * flavors * kResourceKinds) {}

  // Keeps quota of each kind that the shape lacks, or that a job ahead keeps from it. Keeps nothing where that would
  // not help the job.
  void keep(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Rank by);
  bool any() const { return !queues_.empty(); }
  // The first job that keeps quota from a job of the shape; kNone: no job does. Jobs keep quota in the order of their
  // ranks.
  Rank keeper(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const;
  // Whether quota stands in the way: it does not suffice, or a job ahead keeps it.
  bool stops(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const;

 private:
  Rank keeper(const QuotaTree& quota, const Shape& shape, const Ask& ask) const;
  void keep(std::vector<Rank>& keepers, QueueIndex queue, const Ask& ask, Rank by);
  std::size_t at(QueueIndex queue, const Ask& ask) const {
    return (std::size_t{queue.value} * flavors_ + ask.flavor.value) * kResourceKinds +
           static_cast<std::size_t>(ask.kind);
  }

  std::size_t flavors_, size_;
  // By queue, flavor and kind; empty while no quota is kept. `queues_`: from jobs in the queue itself. `below_`: from
  // jobs below the cohort that would borrow.
  std::vector<Rank> queues_, below_;
};

}  // namespace ym::engine
