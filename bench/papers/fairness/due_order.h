// Our order: who goes first, so that the mean completion time is small, nobody ends later than is fair, and all is done
// soon.
//
// Smith's backward rule for gangs. On one machine ("Various optimizers for single-stage production", 1956) the largest
// of the jobs that are not due before the end of all goes last, and so on with the rest. Here a job that goes last
// starts when the others' work is done by all GPUs together, and then takes its own run time: so long jobs have to
// start early, although each is only a small part of the work. What may go last without being late, and without making
// all last too long, goes last, the largest of it first. Where nothing may, what would be late by least, in parts of
// its fair time; among those that would be in time, what makes all last least.
//
// Part of the policy's core: a pure function of its arguments.
#pragma once

#include <span>
#include <vector>

#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

struct DueJob {
  Count gpus = 1;
  Micros left_us = 1;
  Micros due_us = 0;   // from now; below 0: it is past
  Micros fair_us = 1;  // its fair time, in parts of which being late is counted; at least 1
};

struct DueOptions {
  Count gpus = 32;
  // All is to last so many percent of all work over all GPUs. 100 to 115 are alike on all four traces; 160 buys a mean
  // that is a tenth smaller with a makespan that is an eighth longer. 0: however long.
  Count makespan_percent = 110;
};

// Places in `jobs`, first to last; takes time quadratic in their number. Of equal ones the later goes last.
// Precondition: left_us x gpus of all together is below 2^62 / 1000.
std::vector<std::size_t> due_order(std::span<const DueJob> jobs, const DueOptions& options = {});

}  // namespace ym::sim::fairness
