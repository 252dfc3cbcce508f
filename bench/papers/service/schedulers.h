// The schedulers that Muri was compared with, as its simulator has them: they know all sizes, or nothing.
//
// At each arrival and end SRTF sorts all jobs by run time left, SRSF by that x GPUs, empties the cluster and places as
// many as fit, in that order; who ran goes on without having been stopped. Tiresias (Gu et al., NSDI 2019) has three
// queues by GPU time received, plans also when a job falls into the next, counts GPUs and knows no nodes.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "papers/service/job.h"

namespace ym::sim::service {

enum class Scheduler { srtf, srsf, tiresias };

// As in the published table.
std::string_view published_name(Scheduler scheduler);

enum class Protocol {
  // What was published: at every event each running job loses its overhead, but ends are foreseen without it. In
  // doubles, operation by operation, because its rounding decides whether two ends are one event.
  published,
  // Overhead is paid once after each start, and an end is when the work is done. In whole microseconds.
  clean,
};

// By job. Preconditions: jobs are sorted by submission, none wants more than all GPUs.
// Starts are those after waiting alone: that a running job is put elsewhere costs nothing here.
std::vector<Outcome> run_scheduler(std::span<const Job> jobs, Scheduler scheduler, Protocol protocol,
                                   const ClusterShape& shape = {});

}  // namespace ym::sim::service
