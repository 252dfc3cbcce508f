// A queue from which jobs begin, in the order of their turns, and run to their end: FIFO, shortest first, earliest
// deadline first, each in three ways of going through the queue.
#pragma once

#include <span>
#include <vector>

#include "papers/queueing/turns.h"

namespace ym::sim::queueing {

enum class Scan {
  strict,    // the first that finds no room blocks those behind it, as published (Helios)
  skipping,  // whoever finds room begins
  // EASY (Lifka, "The ANL/IBM SP Scheduling System", 1995): the first that finds no room is reserved the earliest
  // instant at which it will, as run times are known; others begin where that stays true.
  backfilling,
};

struct QueueOptions {
  ClusterShape shape{};
  Scan scan = Scan::strict;
};

// By job. Preconditions: jobs are sorted by submission, each finds room in an empty cluster, and has turns.
std::vector<Outcome> run_queue(std::span<const Job> jobs, const Turns& turns, const QueueOptions& options);

}  // namespace ym::sim::queueing
