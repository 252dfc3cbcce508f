// Our policy for deadlines: whoever brings most value for the GPU time that it has left goes first, as long as it can
// keep a deadline; last is who can keep none any more. At each submission and end; who runs may be stopped for others.
//
// No order by deadlines: where there is more work than there are GPUs, what counts is what is given up, and that are
// the jobs of most GPU time (Moore, "An n job, one machine sequencing algorithm for minimizing the number of late
// jobs", 1968). To put jobs of little laxity first, or to test all deadlines for whether they can be kept together,
// made it worse on the traces of the table.
#pragma once

#include <span>
#include <vector>

#include "papers/queueing/deadlines.h"
#include "papers/queueing/pool.h"

namespace ym::sim::queueing {

enum class BestEffort {
  behind,  // those who can keep a deadline; for the fewest misses
  among,   // them, by GPU time left, as if it had a deadline of full value
};

struct WorthOptions {
  ClusterShape shape{};
  StopCosts costs{};
  BestEffort best_effort = BestEffort::behind;
};

// By job. It knows run times. Of a job that loses its value in steps counts the value of the next step that it would
// make if it ran from now on; of all jobs as a part of their first. Preconditions: jobs are sorted by submission, each
// finds room in an empty cluster, and has deadlines.
std::vector<Outcome> run_by_worth(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                                  const WorthOptions& options = {});

}  // namespace ym::sim::queueing
