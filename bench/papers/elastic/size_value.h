// What it is worth to run a job on so many GPUs from now on: its weight times the work that it does in a second, over
// the next `horizon_s` or until it ends.
//
// Part of the elastic policy's core: a pure function of its arguments. A change costs the pause within the horizon, so
// that it is made only where it wins more; a job that ends sooner counts by the time that it needs, so that it is not
// robbed of its GPUs just before the end.
#pragma once

#include "papers/elastic/remaining.h"
#include "papers/elastic/size_table.h"

namespace ym::sim::elastic {

enum class Foresight {
  all_epochs,     // the job goes through the epochs of its table and ends with the last
  present_epoch,  // it goes on as now until the work that it is thought to have left is done
};

struct ValueOptions {
  double horizon_s = 240;  // about eight pauses; what is won later is uncertain, as other jobs come
  double pause_s = 30;     // of a job whose allocation changes
  double round_s = 60;     // how long a size stays at least
  Foresight foresight = Foresight::all_epochs;
};

struct ElasticJob {
  const SizeTable* table = nullptr;  // not owned; one for all jobs of a kind, or its own
  Position position{};
  Count gpus = 0;           // that it holds; 0: it does not run
  double pause_left_s = 0;  // of the last change
  double layout_speed = 1;  // on the nodes that it holds, in parts of that on as few nodes as can be
  Count most_gpus = 0;      // that it may have now
  Remaining remaining{};
  double weight = 0;
};

// Precondition: `gpus` is one of the table's sizes.
double value_of_size(const ElasticJob& job, Count gpus, const ValueOptions& options);

// Of a size above most_gpus where a job may at most double the largest size that it ran on: of the way there, each step
// held for a round, and of what is left of the horizon at that size.
double value_by_doubling(const ElasticJob& job, Count gpus, const ValueOptions& options);

// The largest of the table's sizes that is at most `most`; 0 if none is.
Count largest_size(const SizeTable& table, Count most);

}  // namespace ym::sim::elastic
