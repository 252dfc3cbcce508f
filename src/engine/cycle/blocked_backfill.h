// Passing: who keeps nodes or quota from those behind it.
//
// A blocked job is passed by others, until it is so old that it keeps all (age.h). From then on, within a cycle, it
// keeps what it waits for from those behind it:
//   machines: nobody takes a node that it could use, and its quota is claimed for it, so that
//   it is still there when the machines are. A task without GPUs may begin there
//   if it does not delay the job (placement/kept_nodes.h);
//   quota: nobody in its queue takes quota of that flavor and kind. If a cohort has not enough
//   left either, nobody below that cohort takes any by borrowing; of several such cohorts the
//   highest counts. If others stand in its way with what is theirs by right, and not with what they borrow,
//   that would not help it: then it keeps nothing.
// A job that cannot run before somebody acts (on quota, nodes or devices) keeps nothing; one for which nodes are made
// in time does.
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

  // Keeps quota of each kind that the shape lacks, or that a job ahead keeps from it; nothing where that would not help
  // the job.
  void keep(const QuotaTree& quota, const Shape& shape, const Flavors& flavors, Rank by);
  bool any() const { return !queues_.empty(); }
  // The first job that keeps quota from a job of the shape; kNone: none does. Jobs keep quota in the order of their
  // ranks.
  Rank keeper(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const;
  // Whether quota stands in the way: it does not suffice, or somebody ahead keeps it.
  bool stops(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) const;

 private:
  Rank keeper(const QuotaTree& quota, const Shape& shape, const Ask& ask) const;
  void keep(std::vector<Rank>& keepers, QueueIndex queue, const Ask& ask, Rank by);
  std::size_t at(QueueIndex queue, const Ask& ask) const {
    return (std::size_t{queue.value} * flavors_ + ask.flavor.value) * kResourceKinds +
           static_cast<std::size_t>(ask.kind);
  }

  std::size_t flavors_, size_;
  // By queue, flavor and kind; empty while nothing is kept. From those in the queue itself;
  // from those below it that would borrow.
  std::vector<Rank> queues_, below_;
};

}  // namespace ym::engine
